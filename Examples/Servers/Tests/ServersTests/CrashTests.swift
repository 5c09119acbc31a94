import EscapementNetwork
import EscapementTesting
import Hummingbird
import Servers
import Testing

/// Servers that crash, lose power and stand still in the middle of a request.
///
/// The customer is 40 ms away from the shop.
@Suite struct CrashTests {
  @Test func `a request of a shop that crashes is sent again, and the next shop answers`()
    async throws
  {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") {
        log.append("asked")
        try await Task.sleep(for: .seconds(1))
        log.append("answers")
        return "1"
      }
      try await street.customer.withHTTPClient { client in
        Task {
          try await Task.sleep(for: .milliseconds(500))
          street.shop.crash()
          try await Task.sleep(for: .seconds(5))
          street.shop.restart()
        }
        for _ in 0..<2 {
          do {
            let (answer, time) = try await client.ask("http://shop:8080/stock")
            log.append("\(answer) in \(time)")
          } catch {
            log.append("no answer")
            try await Task.sleep(for: .seconds(10))
          }
        }
      }
    }
    #expect(entries == ["asked", "no answer", "asked", "answers", "200 1 in 1.16 seconds"])
  }

  @Test func `a shop that loses power is found to be gone by the client's timeout alone`()
    async throws
  {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") { "1" }
      try await street.customer.withHTTPClient { client in
        log.append("\(try await client.ask("http://shop:8080/stock"))")
        street.shop.crash(losingPower: true)
        let start = ContinuousClock.now
        do {
          log.append("\(try await client.ask("http://shop:8080/stock"))")
        } catch {
          log.append("\(error) after \(ContinuousClock.now - start)")
        }
        street.shop.restart()
        log.append("\(try await client.ask("http://shop:8080/stock"))")
      }
    }
    let answer = #"("200 1", 0.16 seconds)"#
    #expect(entries == [answer, "HTTPClientError.deadlineExceeded after 60.0 seconds", answer])
  }

  @Test func `a shop that is paused answers when it goes on`() async throws {
    let entries = try await sameLog { street, log in
      street.shop.serve("stock") { "1" }
      try await street.customer.withHTTPClient { client in
        log.append("\(try await client.ask("http://shop:8080/stock"))")
        street.shop.pause()
        Task {
          try await Task.sleep(for: .seconds(20))
          street.shop.resume()
        }
        log.append("\(try await client.ask("http://shop:8080/stock"))")
      }
    }
    #expect(entries == [#"("200 1", 0.16 seconds)"#, #"("200 1", 20.04 seconds)"#])
  }
}
