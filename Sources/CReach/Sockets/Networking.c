#if defined(__linux__)

#include "DispatchSources/Sources.h"
#include "Network/Network.h"

#include <string.h>

// Sessions of FoundationNetworking. All requests of a session share connections and one timer: if
// scopes shared it, the timer of one would be set for the requests of another. So
// `URLSession.shared` gives each scope, and each host of a simulated network, a session of its own,
// with the configuration of the process's; it is released when the scope ends. A once-only
// initialiser gets the process's. If two scopes make sources for the queue of one session, both are
// told.

// MARK: The shared session

/// Swift's names of the members of `URLSession`.
#define MEMBER(name) "$s20FoundationNetworking10URLSessionC" name

extern void *swift_retain(void *object);
extern void swift_release(void *object);

typedef SWIFT_CALL void *(*getter)(SWIFT_SELF void *self);
typedef SWIFT_CALL void *(*initialiser)(void *argument, SWIFT_SELF void *type);

/// The sessions of the scopes for code of no host, by their place in the engine's tables; under the
/// lock.
static void *sessions[cvt_max_scopes];

/// The session that code of a scope has here, or null; under the lock.
static void **place_in(uint32_t scope) {
  void **of_host = rch_session_of_host();
  return of_host ? of_host : &sessions[scope % cvt_max_scopes];
}

/// The same, retained, or null; under the lock.
static void *session_of(uint32_t scope) {
  void *session = rch_is_reached(scope) ? *place_in(scope) : 0;
  return session ? swift_retain(session) : 0;
}

/// A session with the configuration of another one, or null if Foundation has other symbols than
/// expected.
static void *session_like(void *other) {
  getter configuration = (getter)dlsym(RTLD_NEXT, MEMBER("13configurationAA0C13ConfigurationCvg"));
  initialiser init = (initialiser)dlsym(RTLD_NEXT, MEMBER("13configurationAcA0C13ConfigurationC_tcfC"));
  if (!configuration || !init) return 0;
  void *type = *(void **)other;
  return init(configuration(other), type);
}

/// The getter of `URLSession.shared`.
OVERRIDE SWIFT_CALL void *$s20FoundationNetworking10URLSessionC6sharedACvgZ(SWIFT_SELF void *type) {
  getter real = real_$s20FoundationNetworking10URLSessionC6sharedACvgZ();
  uint32_t scope = rch_scope_here();
  if (!scope) return real(type);

  void *session = UNDER_LOCK(session_of(scope));
  if (session) return session;

  cvt_thread_exempt(+1);
  void *shared = real(type);
  cvt_thread_exempt(-1);
  void *made = session_like(shared);
  if (!made) return shared;
  swift_release(shared);
  pthread_mutex_lock(&rch_lock);
  // Another thread may have been quicker, or the scope has ended.
  session = session_of(scope);
  if (!session && rch_is_reached(scope)) *place_in(scope) = swift_retain(made);
  pthread_mutex_unlock(&rch_lock);
  if (!session) return made;
  swift_release(made);
  return session;
}

static void *take_session(uint32_t scope) {
  void *session = sessions[scope % cvt_max_scopes];
  sessions[scope % cvt_max_scopes] = 0;
  return session ? session : rch_take_object(scope);
}

static void forget_sessions(uint32_t scope) {
  cvt_thread_exempt(+1);
  for (void *session; (session = UNDER_LOCK(take_session(scope)));) swift_release(session);
  cvt_thread_exempt(-1);
}

ADD(at_end[rch_forgets_session], forget_sessions)

// MARK: Sessions of two scopes

void rch_queue_gets_source(object queue, uint32_t scope) {
  static const char user;
  // The queue on which a session deals with its sockets and its timer.
  const char *label = dispatch_queue_get_label(queue);
  if (!label || strcmp(label, "MultiHandle.isolation") != 0) return;
  uint32_t last = (uint32_t)(uintptr_t)dispatch_queue_get_specific(queue, &user);
  if (last == scope) return;
  dispatch_queue_set_specific(queue, &user, (void *)(uintptr_t)scope, 0);
  if (!rch_is_reached(last)) return;
  rch_notify(scope, rch_the_engine.shares_session);
  rch_notify(last, rch_the_engine.shares_session);
}

#endif
