import EscapementTesting
import NIOCore
import NIOPosix
import Testing

@Suite(.loopbackAndHost) struct EventLoopTests {
  @Test func `a scheduled task runs at its time, and a cancelled one does not`() async throws {
    let time = try VirtualTime.required
    try await withEventLoops(1) { group in
      let cancelled = group.next().scheduleTask(in: .hours(2)) { Issue.record("not cancelled") }
      let offset = try await group.next().scheduleTask(in: .hours(1)) {
        cancelled.cancel()
        return time.now.offset
      }.futureResult.get()
      #expect(offset == .seconds(3600))
      try await Task.sleep(for: .seconds(3600))
    }
  }

  @Test func `repeated tasks of two loops take turns`() async throws {
    let time = try VirtualTime.required
    let log = Log<String>()
    try await withEventLoops(2) { group in
      for name in ["a", "b"] {
        group.next().scheduleRepeatedTask(initialDelay: .seconds(10), delay: .seconds(10)) { task in
          log.append("\(name) \(time.now.offset / .seconds(1))")
          if log.count >= 5 { task.cancel() }
        }
      }
      try await Task.sleep(for: .seconds(60))
    }
    #expect(log.entries == ["a 10.0", "b 10.0", "a 20.0", "b 20.0", "a 30.0", "b 30.0"])
  }

  @Test func `a promise is fulfilled on another loop before time moves`() async throws {
    let time = try VirtualTime.required
    try await withEventLoops(2) { group in
      let (first, second) = (group.next(), group.next())
      let ticker = Task {
        while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(1)) }
      }
      for _ in 0..<100 {
        let value = try await first.submit { 1 }.hop(to: second).map { $0 + 1 }.get()
        #expect(value == 2)
      }
      #expect(time.now.offset == .zero)
      ticker.cancel()
    }
  }

  @Test func `a connection attempt that is not answered times out`() async throws {
    let time = try VirtualTime.required
    try await withEventLoops(1) { group in
      // It lets nobody in, and one connection may wait.
      let server = try await ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 0)
        .serverChannelOption(.autoRead, value: false)
        .bind(host: "127.0.0.1", port: 0).get()
      let client = ClientBootstrap(group: group).connectTimeout(.seconds(7))
      let waiting = try await client.connect(to: server.localAddress!).get()
      await #expect(throws: ChannelError.connectTimeout(.seconds(7))) {
        try await client.connect(to: server.localAddress!).get()
      }
      #expect(time.now.offset == .seconds(7) + ways(2))
      try await waiting.close()
      try await server.close()
    }
  }

  @Test func `an asynchronous channel takes turns with tasks that sleep`() async throws {
    let time = try VirtualTime.required
    try await withEventLoops(2) { group in
      let server = try await ServerBootstrap(group: group)
        .bind(host: "127.0.0.1", port: 0) { channel in
          channel.eventLoop.makeCompletedFuture {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          }
        }
      try await withThrowingDiscardingTaskGroup { tasks in
        tasks.addTask {
          try await server.executeThenClose { connections in
            for try await connection in connections {
              try await connection.executeThenClose { input, output in
                for try await bytes in input {
                  try await Task.sleep(for: .seconds(bytes.readableBytes))
                  try await output.write(bytes)
                }
              }
              return
            }
          }
        }
        let client = try await ClientBootstrap(group: group)
          .connect(to: server.channel.localAddress!) { channel in
            channel.eventLoop.makeCompletedFuture {
              try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
          }
        try await client.executeThenClose { input, output in
          var answers = input.makeAsyncIterator()
          var trips = 2
          for (text, offset) in [("one", 3), ("fourteen bytes", 17), ("five5", 22)] {
            let request = ByteBuffer(string: text)
            try await output.write(request)
            let answer = try await answers.next()
            #expect(answer == request)
            trips += 2
            #expect(time.now.offset == .seconds(offset) + ways(trips))
          }
        }
      }
    }
  }

  @Test func `work of a thread pool holds time`() async throws {
    let time = try VirtualTime.required
    let pool = NIOThreadPool(numberOfThreads: 2)
    pool.start()
    let ticker = Task { while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(1)) } }
    let sum = try await pool.runIfActive { (1...10_000).reduce(0, +) }
    #expect(sum == 50_005_000)
    #expect(time.now.offset == .zero)
    ticker.cancel()
    try await pool.shutdownGracefully()
  }
}

/// Runs a body with event loops of its own.
func withEventLoops<Result>(
  _ count: Int, _ body: (MultiThreadedEventLoopGroup) async throws -> Result
) async throws -> Result {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: count)
  do {
    let result = try await body(group)
    try await group.shutdownGracefully()
    return result
  } catch {
    try await group.shutdownGracefully()
    throw error
  }
}
