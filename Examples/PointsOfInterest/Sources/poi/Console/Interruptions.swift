import Dispatch
import Foundation

/// The user's interruptions (Ctrl-C), and the system's requests to end.
enum Interruptions {
  /// An element for the first interruption from now on.
  ///
  /// The second one ends the process, as an interruption usually does.
  static func make() async -> AsyncStream<Void> {
    let (interruptions, continuation) = AsyncStream.makeStream(of: Void.self)
    let queue = DispatchQueue(label: "Interruptions")
    for number in [SIGINT, SIGTERM] {
      // Dispatch sees a signal only if it does not end the process.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      var hasHappened = false
      // The handler keeps the source, as long as the process runs.
      source.setEventHandler {
        if hasHappened { end(by: number) }
        hasHappened = true
        continuation.yield()
        withExtendedLifetime(source) {}
      }
      // Until Dispatch has registered the source, the signal is ignored.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.resume()
      }
    }
    return interruptions
  }

  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    // On Linux, Dispatch blocks the signals that it watches.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
