#if os(Linux)
  import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct SimulatedHostTests {
    @Test func `each of a thousand hosts talks to one`() async throws {
      let (network, server, _) = try makeTwoHosts()
      server.run { try echo(port: 80) }
      for number in 1...1000 {
        let times = try await network.host("host-\(number)").perform {
          try elapsed { (_) throws -> Void in
            let socket = try Socket.connect(to: "server", 80)
            socket.send("hello")
            #expect(try socket.receive() == "hello")
            socket.close()
          }
        }
        #expect(times == [.milliseconds(160)])
      }
      #expect(network.hosts.count == 1002)
    }

    @Test func `what a host's code makes belongs to the host`() async throws {
      let network = try SimulatedNetwork()
      let host = network.host("host")
      #expect(!host.isCurrent)
      try await host.perform {
        #expect(host.isCurrent)
        #expect(await Task { host.isCurrent }.value)
        #expect(await Task.detached { host.isCurrent }.value)
        async let child = host.isCurrent
        #expect(await child)
        await withTaskGroup(of: Bool.self) { group in
          group.addTask { host.isCurrent }
          for await isCurrent in group { #expect(isCurrent) }
        }
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            #expect(host.isCurrent)
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
              #expect(host.isCurrent)
              Thread.detachNewThread {
                #expect(host.isCurrent)
                continuation.resume()
              }
            }
          }
        }
        await withCheckedContinuation { continuation in
          let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
          timer.setEventHandler {
            #expect(host.isCurrent)
            timer.cancel()
            continuation.resume()
          }
          timer.schedule(deadline: .now() + 1)
          timer.activate()
        }
        await Counter.shared.look(host)
        #expect(host.isCurrent)
      }
      #expect(!host.isCurrent)
      #expect(host.performNow { host.isCurrent })
      #expect(!host.isCurrent)
    }

    actor Counter {
      static let shared = Counter()
      func look(_ host: SimulatedHost) { #expect(host.isCurrent) }
    }

    @Test func `a name is that of one host, whatever its case`() throws {
      let network = try SimulatedNetwork()
      let host = network.host("Shop")
      #expect(network.host("shop") == network.host("SHOP"))
      #expect(host.address == "10.0.0.1")
      #expect(host.addressV6 == "fd00::1")
      #expect(network.host("other").address == "10.0.0.2")
      for _ in 0..<300 { _ = network.host("\(UInt64.random(in: 0 ... .max))x") }
      #expect(network.host("last").address == "10.0.1.47")
    }

    @Test(arguments: ["", "localhost", "10.0.0.7", "fd00::1", "17"])
    func `a name that is none is reported`(name: String) async throws {
      let network = try SimulatedNetwork()
      let reported = issues { _ = network.host(name) }
      #expect(reported.count == 1)
    }

    @Test func `each host has a shared session of its own`() async throws {
      let network = try SimulatedNetwork()
      let (one, other) = (network.host("one"), network.host("other"))
      #expect(one.performNow { URLSession.shared } === one.performNow { URLSession.shared })
      #expect(one.performNow { URLSession.shared } !== other.performNow { URLSession.shared })
      #expect(one.performNow { URLSession.shared } !== URLSession.shared)
    }

    @Test func `a cancelled caller cancels the code of the host`() async throws {
      let network = try SimulatedNetwork()
      let host = network.host("host")
      let task = Task { try await host.perform { try await Task.sleep(for: .seconds(60)) } }
      try await Task.sleep(for: .seconds(1))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
#endif
