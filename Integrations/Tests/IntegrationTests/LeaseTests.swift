import Escapement
import Foundation
import StoreClients
import Testing

extension IntegrationTests {
  @Suite struct LeaseTests {
    private let name = "lease \(UUID())"

    /// A line of one of the processes.
    private typealias Line = (worker: Int, words: [String])

    /// Starts processes, and passes on their lines in the order in which they arrive.
    private func start(
      _ kind: StoreKind, _ arguments: [[String]]
    ) throws -> (workers: [Worker], lines: AsyncStream<Line>) {
      _ = try Servers.store(kind)
      let workers = try arguments.map { try Worker(kind, $0) }
      let (lines, continuation) = AsyncStream.makeStream(of: Line.self)
      Task {
        await withTaskGroup { group in
          for (index, worker) in workers.enumerated() {
            group.addTask {
              for await line in worker.lines {
                continuation.yield((index, line.split(separator: " ").map(String.init)))
              }
            }
          }
        }
        continuation.finish()
      }
      return (workers, lines)
    }

    private func leaders(
      _ kind: StoreKind, for milliseconds: Int, duration: Int = 600
    ) throws -> (workers: [Worker], lines: AsyncStream<Line>) {
      try start(
        kind, Array(repeating: ["lead", name, "\(duration)", "\(milliseconds)"], count: 8))
    }

    @Test(arguments: Servers.kinds)
    func `eight replicas lead one after the other`(kind: StoreKind) async throws {
      // Longer than a process is kept from running on a busy machine.
      let (workers, lines) = try leaders(kind, for: 20, duration: 20_000)
      // By token. The lines of two processes may arrive in another order.
      var (begun, ended): ([Int: Int], [Int: Int]) = ([:], [:])
      for await line in lines where line.words[0] != "ready" {
        try #require(line.words.count == 3)
        let (token, time) = (try #require(Int(line.words[1])), try #require(Int(line.words[2])))
        if line.words[0] == "begin" {
          #expect(begun.updateValue(time, forKey: token) == nil)
        } else {
          #expect(line.words[0] == "end")
          ended[token] = time
        }
        if ended.count == 30 { break }
      }
      for worker in workers { worker.signal(SIGKILL) }
      let tokens = ended.keys.sorted()
      for (token, next) in zip(tokens, tokens.dropFirst()) {
        #expect(try #require(begun[token]) < ended[token]!)
        #expect(ended[token]! <= (try #require(begun[next])), "token \(token)")
      }
    }

    @Test(arguments: Servers.kinds)
    func `when a leader is killed, another one leads with a larger token`(kind: StoreKind)
      async throws
    {
      let (workers, lines) = try leaders(kind, for: 60_000)
      var tokens: [Int] = []
      for await line in lines where line.words[0] == "begin" {
        tokens.append(Int(line.words[1])!)
        if tokens.count == 4 { break }
        workers[line.worker].signal(SIGKILL)
      }
      for worker in workers { worker.signal(SIGKILL) }
      #expect(tokens.count == 4)
      #expect(tokens == Set(tokens).sorted())
    }

    @Test(arguments: Servers.kinds)
    func `a leader that was stopped for too long notices that it leads no more`(
      kind: StoreKind
    ) async throws {
      let (workers, lines) = try leaders(kind, for: 60_000)
      var tokens: [Int] = []
      var stopped: (worker: Int, token: String)?
      for await line in lines where line.words[0] != "ready" {
        if line.words[0] == "begin" {
          tokens.append(Int(line.words[1])!)
          if let stopped {
            workers[stopped.worker].signal(SIGCONT)
          } else {
            stopped = (line.worker, line.words[1])
            workers[line.worker].signal(SIGSTOP)
          }
        } else if let stopped, line.worker == stopped.worker {
          #expect(line.words == ["lost", stopped.token])
          break
        }
      }
      for worker in workers { worker.signal(SIGKILL) }
      #expect(tokens.count >= 2)
      #expect(tokens == Set(tokens).sorted())
    }

    @Test(arguments: Servers.kinds)
    func `when the server is paused or connections are cut, no token is given twice`(
      kind: StoreKind
    ) async throws {
      let (workers, lines) = try leaders(kind, for: 30)
      let disturbance = Task {
        for _ in 0..<3 {
          try await Task.sleep(for: .milliseconds(200))
          try Servers.cutConnections(of: kind)
          try await Task.sleep(for: .milliseconds(200))
          try await Servers.pause(kind, for: .milliseconds(700))
        }
        try await Task.sleep(for: .seconds(1))
        for worker in workers { worker.signal(SIGKILL) }
      }
      var tokens: [Int] = []
      for await line in lines where line.words[0] == "begin" { tokens.append(Int(line.words[1])!) }
      try await disturbance.value
      #expect(Set(tokens).count == tokens.count)
      #expect(tokens.count > 3)
    }

    @Test(
      arguments: Servers.kinds.flatMap { kind in
        ["atMostOnce", "atLeastOnce"].map { (kind, $0) }
      })
    func `a scheduled run takes place on one replica, also when one dies in the middle`(
      kind: StoreKind, delivery: String
    ) async throws {
      // Three replicas die in the runs 10, 20 and 30, if they are the ones that perform them.
      let deaths = [10, 20, 30] + Array(repeating: 0, count: 5)
      let (workers, lines) = try start(
        kind, deaths.map { ["runs", name, delivery, "40", "\($0)"] })
      var (begun, ended): ([Int: Int], [Int: Int]) = ([:], [:])
      var lost = 0
      for await line in lines where line.words[0] != "ready" {
        if line.words[0] == "begin" { begun[Int(line.words[1])!, default: 0] += 1 }
        if line.words[0] == "end" { ended[Int(line.words[1])!, default: 0] += 1 }
        if line.words[0] == "lost" { lost += 1 }
      }
      withExtendedLifetime(workers) {}
      for run in 1...40 {
        if delivery == "atMostOnce" {
          #expect(begun[run] == 1, "run \(run)")
        } else {
          #expect(1...1 + lost ~= ended[run] ?? 0, "run \(run)")
        }
      }
    }
  }
}
