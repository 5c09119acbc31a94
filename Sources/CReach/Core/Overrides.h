#pragma once

// The functions that this package overrides for queues, threads, files and processes: one row for
// each, with what happens without it. `real_name()` is the function that is overridden.
//
// To add one: a row here, the function with `OVERRIDE` in the file of its subject, and a test of
// what it does. A function that no C header declares is declared in Dispatch.h.
//
// The clocks are overridden in CVirtualTime (ClockOverrides.c), and functions of the Swift runtime
// in Jobs.c, Ownership.c, Arrivals.c, CancellationLoops.c and Networking.c, since their names are
// not those of C functions.

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "Core/Dispatch.h"

// Queues.c: an entry for a lane, which runs the block by `dispatch_sync` into its real queue:
// labels, specifics, preconditions and the exclusion of users outside are libdispatch's own. Blocks
// of the main queue run there.
#define RCH_QUEUES(X)                                                                       \
  X(dispatch_async, "blocks of queues run in real time")                                    \
  X(dispatch_async_f, "functions on queues run in real time")                               \
  X(dispatch_barrier_async, "barriers run in real time")                                    \
  X(dispatch_barrier_async_f, "functions as barriers run in real time")                     \
  X(dispatch_group_async, "blocks of groups run in real time")                              \
  X(dispatch_group_async_f, "functions of groups run in real time")                         \
  X(dispatch_after, "blocks that are due later take real time")                             \
  X(dispatch_after_f, "functions that are due later take real time")

// QueueWaiting.c: an entry behind those of the queue; parks until its turn; then the real function,
// with the queue occupied meanwhile. Iterations run one after the other, on the calling thread.
#define RCH_QUEUE_WAITING(X)                                                                \
  X(dispatch_sync, "a block overtakes those that were submitted before")                    \
  X(dispatch_sync_f, "a function overtakes blocks that were submitted before")              \
  X(dispatch_barrier_sync, "a barrier overtakes blocks that were submitted before")         \
  X(dispatch_barrier_sync_f, "a barrier overtakes blocks that were submitted before")       \
  X(dispatch_async_and_wait, "a block overtakes those that were submitted before")          \
  X(dispatch_async_and_wait_f, "a function overtakes blocks that were submitted before")    \
  X(dispatch_barrier_async_and_wait, "a barrier overtakes blocks")                          \
  X(dispatch_barrier_async_and_wait_f, "a barrier overtakes blocks")                        \
  X(dispatch_apply, "iterations run on threads that no scope knows")                        \
  X(dispatch_apply_f, "iterations run on threads that no scope knows")                      \
  X(dispatch_suspend, "blocks enter a queue that is suspended")                             \
  X(dispatch_resume, "blocks that a queue has kept never run")                              \
  X(dispatch_activate, "blocks that a queue has kept never run")

// Groups.c: the real object tells whether it is free; who has to wait parks, with a timeout in the
// timer queue.
#define RCH_GROUPS(X)                                                                       \
  X(dispatch_semaphore_wait, "a thread blocks the scope while it waits")                    \
  X(dispatch_semaphore_signal, "a thread that waits is not woken")                          \
  X(dispatch_group_wait, "a thread blocks the scope while it waits")                        \
  X(dispatch_group_leave, "a thread that waits is not woken")                               \
  X(dispatch_group_notify, "blocks of groups run in real time")                             \
  X(dispatch_group_notify_f, "functions of groups run in real time")

// Sources.c, SourceHandlers.c, FileSources.c: the real source has no handlers and only exists; when
// it fires is decided here. `DispatchIO` is made of these sources and of blocks. One handler of a
// source runs at a time. A source whose scope has ended belongs to the one that uses it next; if
// there is none, its handlers run outside.
#define RCH_SOURCES(X)                                                                      \
  X(dispatch_source_create, "timers and sources of files are real")                         \
  X(dispatch_source_set_timer, "timers take real time")                                     \
  X(dispatch_source_merge_data, "data for a source is lost")                                \
  X(dispatch_source_get_data, "a handler reads no data")                                    \
  X(dispatch_source_get_handle, "a handler reads another handle")                           \
  X(dispatch_source_cancel, "a source fires after its cancellation")                        \
  X(dispatch_source_set_event_handler, "events are not handled")                            \
  X(dispatch_source_set_event_handler_f, "events are not handled")                          \
  X(dispatch_source_set_cancel_handler, "cancellations are not handled")                    \
  X(dispatch_source_set_cancel_handler_f, "cancellations are not handled")                  \
  X(dispatch_source_set_mandatory_cancel_handler, "cancellations are not handled")          \
  X(dispatch_source_set_mandatory_cancel_handler_f, "cancellations are not handled")        \
  X(dispatch_source_set_registration_handler, "registrations are not handled")              \
  X(dispatch_source_set_registration_handler_f, "registrations are not handled")            \
  X(dispatch_set_context, "a handler gets the context of the engine")                       \
  X(dispatch_get_context, "code reads the context of the engine")                           \
  X(dispatch_set_target_queue, "handlers run in another queue")                             \
  /* The last reference is noticed, since the object is freed before its finaliser is called. */ \
  X(dispatch_release, "a source without references is never freed")

// SignalSources.c: the real function; time stands until a real source outside, which each source of
// a signal has, has noticed what the scope sends to its own process, and until that source is
// registered.
#define RCH_SIGNALS(X) X(kill, "time moves before a signal has arrived")

// Sleeps.c: parks until the deadline, for 1 ns at least: Foundation sleeps for 0 ns until a
// difference of floating-point numbers is gone. `sleep(0)` yields.
#define RCH_SLEEPS(X)                                                                       \
  X(sleep, "sleeps of threads take real time")                                              \
  X(usleep, "sleeps of threads take real time")                                             \
  X(nanosleep, "sleeps of threads take real time")                                          \
  X(clock_nanosleep, "sleeps of threads take real time")

// Threads.c: the first stretch of a thread is an entry for a thread of its own; who joins it parks
// until its function has ended, and keeps the baton for a moment, until the thread is gone. Threads
// of libdispatch serve all scopes: they are left alone.
#define RCH_THREADS(X)                                                                      \
  X(pthread_create, "threads belong to no scope")                                           \
  X(pthread_join, "a thread blocks the scope while it joins another one")                   \
  X(pthread_setname_np, "the event loops of SwiftNIO are not recognised")

// Conditions.c: the real function, unless the owner of a mutex waits in a scope's time: then parks.
// So locks of the engine and of the runtime are real. A thread that has a mutex does not wait for
// the lock of the overrides, because Swift code of the engine runs under that lock, and may wait
// for the mutex: it tells later what it has unlocked. For a condition, parks; a signal wakes the
// first that waits in virtual time.
#define RCH_LOCKS(X)                                                                        \
  X(pthread_mutex_lock, "a lock that is held across a sleep blocks the scope")              \
  X(pthread_mutex_timedlock, "a wait for a lock takes real time")                           \
  X(pthread_mutex_clocklock, "a wait for a lock takes real time")                           \
  X(pthread_mutex_unlock, "a thread that waits for a lock is not woken")                    \
  X(pthread_cond_wait, "a thread blocks the scope while it waits")                          \
  X(pthread_cond_timedwait, "a wait for a condition takes real time")                       \
  X(pthread_cond_clockwait, "a wait for a condition takes real time")                       \
  X(pthread_cond_signal, "a thread that waits is not woken")                                \
  X(pthread_cond_broadcast, "threads that wait are not woken")

// Semaphores.c: `sem_trywait` tells whether it is free; who has to wait parks. Those of
// libdispatch, and the engine's, are real.
#define RCH_SEMAPHORES(X)                                                                   \
  X(sem_wait, "a thread blocks the scope while it waits")                                   \
  X(sem_timedwait, "a wait for a semaphore takes real time")                                \
  X(sem_clockwait, "a wait for a semaphore takes real time")                                \
  X(sem_post, "a thread that waits is not woken")

// Polls.c, Selects.c, FileWaits.c: parks, instead of waiting in the kernel; the thread that drains
// the scope asks the kernel which files are ready. The real function tells which files are ready
// and which errors there are, without waiting.
#define RCH_FILES(X)                                                                        \
  X(poll, "waits for files, and run loops, take real time")                                 \
  X(ppoll, "waits for files take real time")                                                \
  X(__poll_chk, "waits for files take real time")                                           \
  X(__ppoll_chk, "waits for files take real time")                                          \
  X(select, "waits for files take real time")                                               \
  X(pselect, "waits for files take real time")                                              \
  X(epoll_wait, "event loops run in real time")                                             \
  X(epoll_pwait, "event loops run in real time")                                            \
  /* EventFiles.c: a scope that wakes a loop that it does not own is told. */               \
  X(eventfd, "a scope is not told of an event loop outside")                                \
  X(eventfd_write, "a scope is not told of an event loop outside")                          \
  /* TimerFiles.c: an entry of the timer queue, at whose deadline the real timer fires. */  \
  X(timerfd_create, "timers that are files take real time")                                 \
  X(timerfd_settime, "timers that are files take real time")                                \
  X(timerfd_gettime, "timers that are files tell real time")

// Packets.c: notes that there are sockets, and sets `TCP_NODELAY`: otherwise the kernel keeps a
// small packet until the one before has been acknowledged, up to 40 ms of real time. Connections.c:
// `listen` notes the port. A scope is told once that it has connected to a host, or to a port of
// this host, that the process does not serve.
#define RCH_SOCKETS(X)                                                                      \
  X(socket, "time moves before a packet has arrived")                                       \
  X(connect, "a scope is not told of a server outside")                                     \
  X(listen, "a scope is told of its own server")

// Processes.c: a scope that waits for files does not move time until a process runs its program: it
// has them open.
#define RCH_PROCESSES(X)                                                                    \
  X(posix_spawn, "a scope is not told of a process that runs")                              \
  X(posix_spawnp, "a scope is not told of a process that runs")

// BusyWaits.c, CancellationLoops.c: who calls them again and again waits busily.
#define RCH_LOOPS(X)                                                                        \
  X(_CFRunLoopFinished, "a run loop that has nothing to wait for blocks the scope")         \
  X(sched_yield, "a loop that yields its thread blocks the scope")

#define RCH_OVERRIDES(X)                                                                    \
  RCH_QUEUES(X) RCH_QUEUE_WAITING(X) RCH_GROUPS(X) RCH_SOURCES(X) RCH_SIGNALS(X)            \
  RCH_SLEEPS(X) RCH_THREADS(X) RCH_LOCKS(X) RCH_SEMAPHORES(X) RCH_FILES(X) RCH_SOCKETS(X)   \
  RCH_PROCESSES(X) RCH_LOOPS(X)
