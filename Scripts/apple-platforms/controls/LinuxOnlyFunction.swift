// cannot find 'epoll_create1' in scope
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

func makePoll() -> Int32 { epoll_create1(0) }
