#pragma once

// The functions that this package overrides for queues, threads, files and processes: one row for
// each, with what happens without it. `Core/RuntimeOverrides.h` in `CVirtualTime` has those of
// clocks and of the Swift runtime, in the same form. `real_name()` is the original.
//
// To add one: a row here, the function with `OVERRIDE` in the file of its subject, and a test of
// what it does. A function that no C header declares is declared in Dispatch.h. Those of Swift have
// the names that the compiler gives them.

#include <netdb.h>
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

// Queues.c
#define RCH_QUEUES(X)                                                                       \
  X(dispatch_async, "blocks of queues run in real time")                                    \
  X(dispatch_async_f, "blocks of queues run in real time")                                  \
  X(dispatch_barrier_async, "barriers run in real time")                                    \
  X(dispatch_barrier_async_f, "barriers run in real time")                                  \
  X(dispatch_after, "blocks that are due later take real time")                             \
  X(dispatch_after_f, "blocks that are due later take real time")

// QueueWaiting.c, Suspensions.c
#define RCH_QUEUE_WAITING(X)                                                                \
  X(dispatch_sync, "a block overtakes those that were submitted before")                    \
  X(dispatch_sync_f, "a block overtakes those that were submitted before")                  \
  X(dispatch_async_and_wait, "a block overtakes those that were submitted before")          \
  X(dispatch_async_and_wait_f, "a block overtakes those that were submitted before")        \
  X(dispatch_barrier_sync, "a barrier overtakes earlier blocks")                            \
  X(dispatch_barrier_sync_f, "a barrier overtakes earlier blocks")                          \
  X(dispatch_barrier_async_and_wait, "a barrier overtakes earlier blocks")                  \
  X(dispatch_barrier_async_and_wait_f, "a barrier overtakes earlier blocks")                \
  X(dispatch_apply, "iterations run on threads that no scope knows")                        \
  X(dispatch_apply_f, "iterations run on threads that no scope knows")                      \
  X(dispatch_suspend, "blocks enter a queue that is suspended")                             \
  X(dispatch_resume, "blocks that a queue has kept never run")                              \
  X(dispatch_activate, "blocks that a queue has kept never run")

// Groups.c
#define RCH_GROUPS(X)                                                                       \
  X(dispatch_semaphore_wait, "a thread blocks the scope while it waits")                    \
  X(dispatch_semaphore_signal, "a thread that waits is not woken")                          \
  X(dispatch_group_wait, "a thread blocks the scope while it waits")                        \
  X(dispatch_group_leave, "a thread that waits is not woken")                               \
  X(dispatch_group_async, "blocks of groups run in real time")                              \
  X(dispatch_group_async_f, "blocks of groups run in real time")                            \
  X(dispatch_group_notify, "blocks of groups run in real time")                             \
  X(dispatch_group_notify_f, "blocks of groups run in real time")

// Sources.c, SourceHandlers.c, FileSources.c
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
  X(dispatch_set_finalizer_f, "a finaliser runs in real time")                              \
  X(dispatch_set_target_queue, "handlers run in another queue")                             \
  X(dispatch_release, "a source without references is never freed")

// SignalSources.c
#define RCH_SIGNALS(X) X(kill, "time moves before a signal has arrived")

// Sleeps.c
#define RCH_SLEEPS(X)                                                                       \
  X(sleep, "sleeps of threads take real time")                                              \
  X(usleep, "sleeps of threads take real time")                                             \
  X(nanosleep, "sleeps of threads take real time")                                          \
  X(clock_nanosleep, "sleeps of threads take real time")

// Threads.c, SharedThreads.c
#define RCH_THREADS(X)                                                                      \
  X(pthread_create, "threads belong to no scope")                                           \
  X(pthread_join, "a thread blocks the scope while it joins another one")                   \
  X(pthread_setname_np, "the event loops of SwiftNIO are not recognised")

// Conditions.c
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

// Semaphores.c
#define RCH_SEMAPHORES(X)                                                                   \
  X(sem_wait, "a thread blocks the scope while it waits")                                   \
  X(sem_timedwait, "a wait for a semaphore takes real time")                                \
  X(sem_clockwait, "a wait for a semaphore takes real time")                                \
  X(sem_post, "a thread that waits is not woken")

// Polls.c, Selects.c, FileWaits.c, EventFiles.c, HostFiles.c, TimerFiles.c
#define RCH_FILES(X)                                                                        \
  X(poll, "waits for files, and run loops, take real time")                                 \
  X(ppoll, "waits for files take real time")                                                \
  X(__poll_chk, "waits for files take real time")                                           \
  X(__ppoll_chk, "waits for files take real time")                                          \
  X(select, "waits for files take real time")                                               \
  X(pselect, "waits for files take real time")                                              \
  X(epoll_wait, "event loops run in real time")                                             \
  X(epoll_pwait, "event loops run in real time")                                            \
  X(epoll_create, "a host that has crashed leaves files")                                   \
  X(epoll_create1, "a host that has crashed leaves files")                                  \
  X(socketpair, "a host that has crashed leaves files")                                     \
  X(eventfd, "a scope is not told of an event loop outside")                                \
  X(eventfd_write, "a scope is not told of an event loop outside")                          \
  X(timerfd_create, "timers that are files take real time")                                 \
  X(timerfd_settime, "timers that are files take real time")                                \
  X(timerfd_gettime, "timers that are files tell real time")

// Connections.c
#define RCH_SOCKETS(X)                                                                      \
  X(socket, "time moves before a packet has arrived")                                       \
  X(connect, "a scope is not told of a server outside")                                     \
  X(listen, "a scope is told of its own server")

// Names.c, Resolver.c
#define RCH_NAMES(X)                                                                        \
  X(bind, "hosts of a simulated network share ports")                                       \
  X(accept, "a server of a simulated network cannot tell its clients apart")                \
  X(accept4, "a server of a simulated network cannot tell its clients apart")               \
  X(getsockname, "sockets of a simulated network show no addresses")                        \
  X(getpeername, "sockets of a simulated network show no addresses")                        \
  X(setsockopt, "options of TCP fail in a simulated network")                               \
  X(getsockopt, "options of TCP fail in a simulated network")                               \
  X(shutdown, "a reset of a simulated network looks like an end")                           \
  X(getaddrinfo, "hosts of a simulated network are not found by their names")

// Messages.c
#define RCH_MESSAGES(X)                                                                     \
  X(recvmsg, "UDP sockets of a simulated network show no senders")                          \
  X(recvmmsg, "UDP sockets of a simulated network show no senders")                         \
  X(recvfrom, "UDP sockets of a simulated network show no senders")                         \
  X(__recvfrom_chk, "UDP sockets of a simulated network show no senders")                   \
  X(recv, "receivers of a simulated network wait in real time")                             \
  X(__recv_chk, "receivers of a simulated network wait in real time")                       \
  X(sendmsg, "UDP sockets of a simulated network have no receivers")                        \
  X(sendmmsg, "UDP sockets of a simulated network have no receivers")                       \
  X(sendto, "UDP sockets of a simulated network have no receivers")                         \
  X(send, "datagrams of a simulated network leave late")

// Processes.c
#define RCH_PROCESSES(X)                                                                    \
  X(posix_spawn, "a scope is not told of a process that runs")                              \
  X(posix_spawnp, "a scope is not told of a process that runs")                             \
  X(close, "an end of a file comes late while a process is made")

// BusyWaits.c, CancellationLoops.c
#define RCH_LOOPS(X)                                                                        \
  X(_CFRunLoopFinished, "a run loop that has nothing to wait for blocks the scope")         \
  X(sched_yield, "a loop that yields its thread blocks the scope")                          \
  X($sScTss5NeverORszABRs_rlE11isCancelledSbvgZ, "a loop until a cancellation blocks the scope") \
  X($sScT11isCancelledSbvg, "a loop until a cancellation blocks the scope")                 \
  X($sSct11isCancelledSbvg, "a loop until a cancellation blocks the scope")                 \
  X(swift_task_isCancelled, "a loop until a cancellation blocks the scope")                 \
  X($sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ, "a loop until a cancellation blocks the scope")

// Networking.c
#define RCH_SESSIONS(X)                                                                     \
  X($s20FoundationNetworking10URLSessionC6sharedACvgZ, "scopes share connections and a timer")

#define RCH_OVERRIDES(X)                                                                    \
  RCH_QUEUES(X) RCH_QUEUE_WAITING(X) RCH_GROUPS(X) RCH_SOURCES(X) RCH_SIGNALS(X)            \
  RCH_SLEEPS(X) RCH_THREADS(X) RCH_LOCKS(X) RCH_SEMAPHORES(X) RCH_FILES(X) RCH_SOCKETS(X)   \
  RCH_NAMES(X) RCH_MESSAGES(X) RCH_PROCESSES(X) RCH_LOOPS(X) RCH_SESSIONS(X)
