#pragma once

// The files of Linux with which event loops wait, which Swift does not import. Their headers are not
// included here, since Swift would take their types for this module's.

#if defined(__linux__)

#include <stdbool.h>
#include <stdint.h>

int32_t make_epoll(void);
int32_t add_to_epoll(int32_t epoll, int32_t file);
/// Waits in `epoll_wait`. Returns how many of the files are ready, of which it stores up to 16.
int32_t wait_for_epoll(int32_t epoll, int32_t milliseconds, int32_t *_Nonnull ready);

int32_t make_eventfd(bool is_semaphore);
void write_eventfd(int32_t file, uint64_t value);

int32_t make_timerfd(int32_t clock);
/// Sets a timer, all times in nanoseconds. Stores what was left of its time and its interval. Returns an
/// error number or 0.
int32_t set_timerfd(
    int32_t file, bool is_absolute, int64_t value, int64_t interval, int64_t *_Nonnull old);
void get_timerfd(int32_t file, int64_t *_Nonnull rest);

/// How `wait_for_file` waits.
enum { with_poll, with_ppoll, with_select, with_pselect, ways_to_wait_for_file };

/// Waits until a file can be read, or written to, for at most so many nanoseconds; for ever if they are negative.
/// Returns how many files are ready, or less than 0 and an error number. Only `select` stores in `rest` what is
/// left of the time.
int32_t wait_for_file(
    int32_t way, int32_t file, bool writes, int64_t nanoseconds, int64_t *_Nonnull rest);
/// The same with `ppoll` or `pselect` for ever, and with no signals blocked meanwhile.
int32_t wait_with_all_signals(int32_t way, int32_t file);

/// A semaphore of POSIX, and a mutex.
typedef struct posix_locks posix_locks;
posix_locks *_Nonnull make_posix_locks(void);
void free_posix_locks(posix_locks *_Nonnull locks);
/// Waits for the semaphore for at most so many nanoseconds, or for ever if they are negative. With a clock,
/// by `sem_clockwait`, else by `sem_timedwait`. Returns 0 or an error number.
int32_t wait_for_posix_semaphore(
    posix_locks *_Nonnull locks, int64_t nanoseconds, bool has_clock);
void post_posix_semaphore(posix_locks *_Nonnull locks);
/// The same for the mutex, with `pthread_mutex_clocklock` and `pthread_mutex_timedlock`.
int32_t lock_posix_mutex(posix_locks *_Nonnull locks, int64_t nanoseconds, bool has_clock);
void unlock_posix_mutex(posix_locks *_Nonnull locks);

/// Calls a function while this thread has the lock of the overrides, as the engine is called by them.
void with_lock_of_overrides(void (*_Nonnull call)(void *_Nonnull), void *_Nonnull context);

/// Listens as another process would: the overrides do not see it.
int32_t listen_unseen(int32_t socket);

/// Sends datagrams of one byte, which are counted from 'a' on, with `sendmmsg`. Returns how many were
/// sent, or -1.
int32_t send_several(int32_t file, const void *_Nonnull address, uint32_t size, int32_t count);
/// Receives datagrams with `recvmmsg`: the first byte of each, and the port of its sender in the order of
/// the network. Returns how many there were, or -1.
int32_t receive_several(
    int32_t file, int32_t count, char *_Nonnull bytes, uint16_t *_Nonnull ports);

/// Names this thread.
void name_thread(const char *_Nonnull name);

#endif
