// new: ['_gettid']
int gettid(void);

int thread_id(void) { return gettid(); }
