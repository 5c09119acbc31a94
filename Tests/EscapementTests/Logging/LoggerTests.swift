#if Logging
  import Escapement
  import EscapementTesting
  import Logging
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct LoggerTests {
    private struct Handler: LogHandler {
      let log: Log<String>
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.trace
      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        log.append("\(event.level) \(event.message) \(pairs.joined(separator: ", "))")
      }
    }

    private struct Failure: Error, CustomStringConvertible {
      let description = "busy"
    }

    private let lines = Log<String>()
    private var logger: Logger {
      Logger(label: "test", factory: { [lines] _ in Handler(log: lines) })
    }

    @Test func `each attempt is logged with its delay, and the last failure as an error`() async {
      let (logger, clock) = (logger, JumpingClock())
      await #expect(throws: RetryError.self) {
        try await retry(
          maximumAttempts: 2, backoff: .constant(.seconds(3)), clock: clock,
          onAttempt: { logger.log(retry: $0) }
        ) { throw Failure() }
      }
      try? await retry(onAttempt: { logger.log(retry: $0) }) {}
      #expect(
        lines.entries == [
          "notice An attempt has failed; another one follows. "
            + "attempt=1, delay=3.0 seconds, elapsed=0.0 seconds, error=busy",
          "error An attempt has failed; no other one follows. "
            + "attempt=2, elapsed=3.0 seconds, error=busy",
          "trace An attempt has succeeded. attempt=1, elapsed=0.0 seconds",
        ])
    }

    @Test func `a breaker that opens is logged as a warning, and a refused call for debugging`()
      async throws
    {
      let logger = logger
      let breaker = try CircuitBreaker(
        .failures(1, ofLast: 1), onEvent: { logger.log($0, of: "shop") })
      await #expect(throws: Failure.self) { try await breaker.run { throw Failure() } }
      await #expect(throws: CircuitOpenError.self) { try await breaker.run {} }
      breaker.reset()
      let error = CircuitOpenError(retryAfter: .seconds(30))
      #expect(
        lines.entries.map { String($0.prefix { $0 != "\n" }) } == [
          "trace A block has decided. block=shop, event=begun",
          "trace A block has decided. block=shop, event=ended(Optional(busy))",
          "warning A circuit breaker has changed its state. block=shop, state=open",
          "debug A call was refused. block=shop, error=\(error)",
          "notice A circuit breaker has changed its state. block=shop, state=closed",
        ])
    }

    @Test func `a store that does not decide, a lost lease and a fault stand out`() throws {
      logger.log(.storeFailed(Failure()), of: "mails")
      logger.log(.lost, of: "reports")
      logger.log(.injected(try .outcome(share: 0.5)), of: "shop")
      #expect(
        lines.entries == [
          "warning A store has not made a decision. block=mails, error=busy",
          "warning A lease was lost. block=reports",
          "notice A fault was injected. block=shop, fault=another outcome in 0.5 of the calls",
        ])
    }
  }
#endif
