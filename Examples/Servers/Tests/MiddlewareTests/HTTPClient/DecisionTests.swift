import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import EscapementHTTPClient

@Suite struct DecisionTests {
  /// 1994-11-06T08:49:37Z, the example of RFC 9110.
  private let example = WallClock.Instant(offset: .seconds(784_111_777))

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
      ("Sun Nov  6 08:49:37 1994", 0), ("Sun, 06 Nov 1994 08:49:38 GMT", 1),
      ("Sun, 06 Nov 1994 08:49:36 GMT", -1), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
      ("0", 0), ("120", 120), (" 7 ", 7),
    ] as [(String, Int)])
  func `a time is read`(text: String, seconds: Int) {
    #expect(RetryAfter.delay(text, now: example) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "-1", "1.5", "soon", "1 2", "+1", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1995 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
  ])
  func `other texts are not`(text: String) {
    #expect(RetryAfter.delay(text, now: example) == nil)
  }

  @Test func `a number that is too large is a very long time`() throws {
    let delay = try #require(RetryAfter.delay("99999999999999999999", now: example))
    #expect(delay > .seconds(1_000_000_000))
  }

  @Test func `each date of ten years is read`() {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    for day in 0..<3_653 {
      let instant = WallClock.Instant(offset: .seconds(946_684_800 + day * 86_400))
      let parts = instant.description.prefix(10).split(separator: "-")
      let text = "Sat, \(parts[2]) \(names[Int(parts[1])! - 1]) \(parts[0]) 00:00:00 GMT"
      #expect(RetryAfter.delay(text, now: instant) == .zero, "\(text)")
    }
  }

  @Test func `the decision follows from four facts`() {
    for isIdempotent in [false, true] {
      for canBeSentAgain in [false, true] {
        for followsRedirects in [false, true] {
          func decision(_ failure: RequestFailure) -> RetryDecision {
            failure.decision(
              isIdempotent: isIdempotent, canBeSentAgain: canBeSentAgain,
              followsRedirects: followsRedirects)
          }
          let isRepeatable = isIdempotent && canBeSentAgain
          #expect(decision(.final) == .fail)
          #expect(decision(.interrupted) == (isRepeatable ? .retry : .fail))
          #expect(decision(.refused(retryAfter: nil)) == (isRepeatable ? .retry : .fail))
          #expect(decision(.refused(retryAfter: .zero)) == (isRepeatable ? .retry : .fail))
          #expect(decision(.refused(retryAfter: .seconds(-1))) == (isRepeatable ? .retry : .fail))
          #expect(
            decision(.refused(retryAfter: .seconds(1)))
              == (isRepeatable ? .retryAfter(.seconds(1)) : .fail))
          #expect(
            decision(.unsent)
              == (canBeSentAgain && (isIdempotent || !followsRedirects) ? .retry : .fail))
        }
      }
    }
  }

  @Test func `errors tell how far the request has come`() {
    for error in [HTTPClientError.connectTimeout, .tlsHandshakeTimeout] {
      #expect(RequestFailure(error) == .unsent)
    }
    #expect(RequestFailure(IOError(errnoCode: ECONNREFUSED, reason: "connect")) == .unsent)
    #expect(RequestFailure(ChannelError.connectTimeout(.seconds(1))) == .unsent)
    #expect(RequestFailure(IOError(errnoCode: ECONNRESET, reason: "read")) == .interrupted)
    #expect(RequestFailure(HTTPClientError.remoteConnectionClosed) == .interrupted)
    #expect(RequestFailure(ChannelError.ioOnClosedChannel) == .interrupted)
    for error in [HTTPClientError.invalidURL, .redirectLimitReached, .alreadyShutdown] {
      #expect(RequestFailure(error) == .final)
    }
    #expect(RequestFailure(CircuitOpenError()) == .final)
    #expect(RequestFailure(ConcurrencyLimitError()) == .final)
    #expect(RequestFailure(CallThrottledError()) == .final)
    #expect(RequestFailure(QuotaError.deadlineUnreachable(retryAfter: .zero)) == .final)
  }

  @Test func `a failure counts as one of the host, unless it does not tell`() {
    for failure in [RequestFailure.unsent, .interrupted] {
      #expect(failure.isFaultOfHost(isCancelled: false, reason: nil) == true)
      #expect(failure.isFaultOfHost(isCancelled: true, reason: .userRequested) == nil)
      #expect(failure.isFaultOfHost(isCancelled: true, reason: .deadlineExpired) == true)
    }
    #expect(RequestFailure.final.isFaultOfHost(isCancelled: false, reason: nil) == nil)
  }

  @Test func `bodies in memory can be sent again`() {
    var request = HTTPClientRequest(url: "http://shop")
    #expect(request.canBeSentAgain)
    let bytes = [UInt8](repeating: 0, count: 10)
    for body: HTTPClientRequest.Body in [
      .bytes(ByteBuffer(bytes: bytes)), .bytes(bytes), .bytes(bytes.prefix(5)),
      .bytes(Set(bytes), length: .known(Int64(1))),
    ] {
      request.body = body
      #expect(request.canBeSentAgain)
    }
    request.body = .stream(AsyncStream<ByteBuffer> { $0.finish() }, length: .unknown)
    #expect(!request.canBeSentAgain)
  }

  @Test(arguments: [
    ("http://shop/tea", "http://shop"), ("HTTP://Shop:80?tea", "http://shop"),
    ("http://shop:8080", "http://shop:8080"), ("https://shop:80", "https://shop:80"),
    ("https://me:secret@shop:443#1", "https://shop"), ("http://[::1]:80/", "http://[::1]"),
    ("http+unix://%2Ftmp%2FTea/1", "http+unix://%2Ftmp%2FTea"),
    ("unix:///run/tea", "unix:///run/tea"), ("shop", "://shop"), ("", "://"),
  ])
  func `the host of an address is found`(address: String, key: String) {
    #expect(HostTable<Int>.key(of: address) == key)
  }

  @Test func `a table keeps the hosts that were used last`() {
    var generator = SystemRandomNumberGenerator()
    var table = HostTable<Int>(limit: 4)
    var uses: [String] = []
    var made = 0
    for _ in 0..<10_000 {
      let host = "\(Int.random(in: 0..<20, using: &generator))"
      // The distinct hosts since its last use are fewer than the limit.
      let isKept =
        uses.lastIndex(of: host).map { Set(uses[($0 + 1)...]).count < 4 } ?? false
      let before = made
      _ = table.value(for: host) {
        made += 1
        return made
      }
      #expect(!isKept || made == before)
      #expect(table.count <= 8)
      uses = uses.suffix(100) + [host]
    }
  }
}
