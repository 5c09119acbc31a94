#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import Testing

  struct CutLinks {
    @Test(.virtualTime) func `a customer is told when the shop is cut off`() async throws {
      let network = try SimulatedNetwork()
      network.links.latency = .milliseconds(40)
      let shop = network.host("shop")
      let customer = network.host("customer")
      shop.run { try serve(port: 8080) }

      let socket = try await customer.perform { try connect(to: "shop", port: 8080) }
      network.cut(shop, customer)
      let answer = try await customer.perform { ask(socket, timeout: .seconds(3)) }
      #expect(answer == .timedOut)

      network.heal(shop, customer)
      #expect(try await customer.perform { ask(socket, timeout: .seconds(3)) } == .answered)
    }

    enum Answer { case answered, timedOut }

    private struct SystemError: Error { let code = errno }

    /// Answers each message with the same bytes.
    private func serve(port: UInt16) throws {
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = address(of: "0.0.0.0", port)
      guard withAddress(&address, { bind(server, $0, $1) }) == 0, listen(server, 16) == 0 else {
        throw SystemError()
      }
      Thread.detachNewThread {
        let client = accept(server, nil, nil)
        var bytes = [UInt8](repeating: 0, count: 1024)
        while true {
          var input = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
          guard poll(&input, 1, -1) > 0 else { break }
          let count = recv(client, &bytes, bytes.count, 0)
          guard count > 0 else { break }
          send(client, bytes, count, Int32(MSG_NOSIGNAL))
        }
      }
    }

    /// Connects by name.
    private func connect(to host: String, port: UInt16) throws -> Int32 {
      var found: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, "\(port)", nil, &found) == 0, let found else { throw SystemError() }
      defer { freeaddrinfo(found) }
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard Glibc.connect(client, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
        throw SystemError()
      }
      return client
    }

    private func ask(_ socket: Int32, timeout: Duration) -> Answer {
      send(socket, "?", 1, Int32(MSG_NOSIGNAL))
      var answer = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let milliseconds = Int32(timeout / .milliseconds(1))
      return poll(&answer, 1, milliseconds) > 0 ? .answered : .timedOut
    }

    private func address(of host: String, _ port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      return address
    }

    private func withAddress<Result>(
      _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }
#endif
