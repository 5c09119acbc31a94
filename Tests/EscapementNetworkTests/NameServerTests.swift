#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct NameServerTests {
    let network: SimulatedNetwork
    let server: SimulatedHost
    let client: SimulatedHost

    init() throws {
      (network, server, client) = try makeTwoHosts()
    }

    /// What code of a host finds for a name, and when.
    private static func find(_ name: String, flags: Int32 = 0) -> Answer {
      let start = ContinuousClock.now
      var addresses: UnsafeMutablePointer<addrinfo>?
      var hints = addrinfo()
      (hints.ai_socktype, hints.ai_flags) = (Int32(SOCK_STREAM.rawValue), flags)
      let error = getaddrinfo(name, "80", &hints, &addresses)
      var text = [CChar](repeating: 0, count: 64)
      if let found = addresses?.pointee {
        getnameinfo(found.ai_addr, found.ai_addrlen, &text, 64, nil, 0, NI_NUMERICHOST)
        freeaddrinfo(addresses)
      }
      let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      return Answer(error == 0 ? address : error, after: ContinuousClock.now - start)
    }

    private struct Answer: Equatable, Sendable {
      let result: String
      let time: Duration

      init(_ result: any CustomStringConvertible, after time: Duration) {
        (self.result, self.time) = ("\(result)", time)
      }
    }

    private func find(_ name: String) async throws -> Answer {
      try await client.perform { Self.find(name) }
    }

    @Test func `an answer takes the time that the name server takes`() async throws {
      #expect(try await find("server") == Answer("10.0.0.1", after: .zero))
      network.nameServer.latency = .milliseconds(25)
      #expect(try await find("SERVER") == Answer("10.0.0.1", after: .milliseconds(25)))
      #expect(try await find("nobody") == Answer(EAI_NONAME, after: .milliseconds(25)))
      #expect(network.nameServer == NameServer(latency: .milliseconds(25)))
    }

    @Test(arguments: [
      "10.0.0.1", "fd00::1", "127.0.0.1", "10.1", "0x0a000001", "fe80::1%lo", "localhost",
      "localhost.",
    ])
    func `nobody asks for`(address: String) async throws {
      network.nameServer = NameServer(latency: .seconds(1), isDown: true)
      #expect(try await find(address).time == .zero)
    }

    @Test func `who wants numbers alone, or is no host, asks nobody`() async throws {
      network.nameServer.isDown = true
      #expect(Self.find("server") == Answer("10.0.0.1", after: .zero))
      let answer = try await client.perform { Self.find("server", flags: AI_NUMERICHOST) }
      #expect(answer == Answer(EAI_NONAME, after: .zero))
    }

    @Test(arguments: [
      (Duration.seconds(10), Answer("10.0.0.1", after: .seconds(10))),
      (.seconds(10) + .nanoseconds(1), Answer(EAI_AGAIN, after: .seconds(10))),
    ])
    private func `an answer comes in ten seconds, or not at all`(
      latency: Duration, answer: Answer
    ) async throws {
      network.nameServer.latency = latency
      #expect(try await find("server") == answer)
    }

    @Test(arguments: [
      (Duration.seconds(5) - .nanoseconds(1), Answer("10.0.0.1", after: .milliseconds(5025))),
      (.seconds(5) + .nanoseconds(1), Answer(EAI_AGAIN, after: .seconds(10))),
    ])
    private func `a server that is back is asked a second time`(
      back: Duration, answer: Answer
    ) async throws {
      network.nameServer = NameServer(latency: .milliseconds(25), isDown: true)
      async let answered = find("server")
      try await Task.sleep(for: back)
      network.nameServer.isDown = false
      #expect(try await answered == answer)
    }

    @Test func `a name may end with a point, and is the canonical name of its host`() async throws {
      network.setName("primary.", to: client)
      #expect(try await find("Server.").result == "10.0.0.1")
      #expect(try await find("primary").result == "10.0.0.2")
      let name = try await client.perform {
        var addresses: UnsafeMutablePointer<addrinfo>?
        var hints = addrinfo()
        hints.ai_flags = AI_CANONNAME
        getaddrinfo("server", nil, &hints, &addresses)
        defer { freeaddrinfo(addresses) }
        return addresses?.pointee.ai_canonname.map { String(cString: $0) }
      }
      #expect(name == "server")
    }

    @Test func `hosts ask at the same time, and each thread by itself`() async throws {
      network.nameServer.latency = .milliseconds(25)
      let start = ContinuousClock.now
      try await withThrowingTaskGroup { group in
        for host in [server, client, client] {
          group.addTask {
            try await host.perform { Thread.detachNewThread { _ = Self.find("server") } }
          }
          group.addTask {
            let answer = try await host.perform { Self.find("client") }
            #expect(answer == Answer("10.0.0.2", after: .milliseconds(25)))
          }
        }
        try await group.waitForAll()
      }
      #expect(ContinuousClock.now - start == .milliseconds(25))
    }

    @Test func `a name goes to another host, and connections stay`() async throws {
      let other = network.host("other")
      for host in [server, other] { host.run { try echo(port: 80) } }
      network.setName("Primary", to: server)
      let peers = try await client.perform {
        let first = try Socket.connect(to: "primary", 80)
        network.setName("primary", to: other)
        let second = try Socket.connect(to: "PRIMARY", 80)
        first.send("still there")
        return [first.peer, second.peer, try first.receive()]
      }
      #expect(peers == ["10.0.0.1:80", "10.0.0.3:80", "still there"])
      #expect(network.host("primary") != other)
    }

    @Test func `a host whose name is taken from it is not found, until it gets it back`()
      async throws
    {
      network.nameServer.latency = .milliseconds(25)
      network.setName("server", to: nil)
      async let answer = find("server")
      #expect(try await answer == Answer(EAI_NONAME, after: .milliseconds(25)))
      // The answer is that of the instant at which it comes.
      async let later = find("server")
      try await Task.sleep(for: .milliseconds(24))
      network.setName("server", to: server)
      #expect(try await later == Answer("10.0.0.1", after: .milliseconds(25)))
    }

    @Test func `a host that crashes while it asks asks again when it is back`() async throws {
      network.nameServer.latency = .seconds(1)
      let answers = Log<Answer>()
      client.run { answers.append(Self.find("server")) }
      try await Task.sleep(for: .milliseconds(500))
      client.crash()
      try await Task.sleep(for: .seconds(10))
      #expect(answers.entries.isEmpty)
      client.restart()
      try await Task.sleep(for: .seconds(10))
      #expect(answers.entries == [Answer("10.0.0.1", after: .seconds(1))])
    }

    @Test func `a host that is paused has its answer when it goes on`() async throws {
      network.nameServer.latency = .seconds(1)
      async let answer = find("server")
      try await Task.sleep(for: .milliseconds(500))
      client.pause()
      try await Task.sleep(for: .seconds(10))
      client.resume()
      #expect(try await answer.time == .milliseconds(10_500))
    }

    @Test func `a cut link does not keep a host from names`() async throws {
      network.cut(server, client)
      #expect(try await find("server").result == "10.0.0.1")
    }

    @Test func `a session of Foundation waits for the answer, then for the connection`()
      async throws
    {
      network.nameServer.latency = .milliseconds(25)
      server.run { try answerRequests(port: 80) }
      let (text, time) = try await client.perform {
        let start = ContinuousClock.now
        let url = URL(string: "http://server/")!
        let (data, _) = try await URLSession.shared.data(from: url)
        return (String(decoding: data, as: UTF8.self), ContinuousClock.now - start)
      }
      #expect(text == "hello")
      #expect(time == .milliseconds(185))
    }

    @Test func `a latency that cannot be is reported`() async throws {
      let reported = issues { network.nameServer.latency = .seconds(-1) }
      #expect(reported.count == 1)
      #expect(reported.first?.message.contains("-1.0 seconds") == true)
      #expect(network.nameServer.latency == .zero)
    }

    @Test(arguments: ["", "localhost", "10.0.0.7"])
    func `a name that cannot be is reported`(name: String) async throws {
      let reported = issues { network.setName(name, to: server) }
      #expect(reported.count == 1)
    }
  }

  /// Answers each request of HTTP with "hello".
  private func answerRequests(port: Int) throws {
    let server = try Socket.listen(port: port)
    Thread.detachNewThread {
      while let client = server.accept() {
        if let request = try? client.receive(), !request.isEmpty {
          client.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        }
        client.close()
      }
    }
  }
#endif
