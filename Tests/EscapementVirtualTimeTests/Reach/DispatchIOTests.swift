#if os(Linux)
  @preconcurrency import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  @Suite(.virtualStandardClocks) struct DispatchIOTests {
    /// In a process of its own: a process that another test begins has the end, too, for a moment.
    @Test(.takingTurns) func `a channel reads what is sent, at the instant at which it comes`()
      async
    {
      await #expect(processExitsWith: .success) {
        let log = try await sameLog { log in
          let pipe = Ends.ofPipe()
          let queue = DispatchQueue(label: "channel")
          let channel = DispatchIO(type: .stream, fileDescriptor: pipe.from, queue: queue) {
            error in
            log.mark("closed \(error)")
            Glibc.close(pipe.from)
          }
          channel.setLimit(lowWater: 1)
          channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
            log.mark("\(isDone ? "done" : "more") \(data?.count ?? -1) \(error)")
            if isDone { channel.close() }
          }
          for count in 1...2 {
            try await Task.sleep(for: .milliseconds(5))
            pipe.send(count)
          }
          try await Task.sleep(for: .milliseconds(5))
          Glibc.close(pipe.to)
          await log.wait(for: 4)
        }
        #expect(log == ["more 1 0@5", "more 2 0@10", "done 0 0@15", "closed 0@15"])
      }
    }

    @Test func `a channel calls its handlers on a queue that its user has let go of`() async throws
    {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let channel = DispatchIO(
          type: .stream, fileDescriptor: pipe.from, queue: DispatchQueue(label: "channel")
        ) { _ in
          log.mark("closed")
          pipe.close()
        }
        channel.read(offset: 0, length: 1, queue: DispatchQueue(label: "reader")) { _, data, _ in
          log.mark("read \(data?.count ?? 0)")
        }
        channel.close()
        try await Task.sleep(for: .milliseconds(5))
        pipe.send(1)
        await log.wait(for: 2)
      }
      #expect(log == ["read 1@5", "closed@5"])
    }

    @Test func `a channel writes when there is room`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let count = pipe.fill()
        let channel = DispatchIO(type: .stream, fileDescriptor: pipe.to, queue: .global()) { _ in
          log.mark("closed")
          pipe.close()
        }
        let data = [UInt8](repeating: 2, count: 3).withUnsafeBytes { DispatchData(bytes: $0) }
        channel.write(offset: 0, data: data, queue: .global()) { isDone, data, error in
          log.mark("\(isDone) \(data?.count ?? 0) \(error)")
        }
        channel.close()
        try await Task.sleep(for: .milliseconds(5))
        pipe.receive(count)
        await log.wait(for: 2)
      }
      #expect(log == ["true 0 0@5", "closed@5"])
    }

    @Test func `a barrier comes after what was asked for before it`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let queue = DispatchQueue(label: "channel")
        let channel = DispatchIO(type: .stream, fileDescriptor: pipe.from, queue: queue) { _ in
          log.mark("closed")
          pipe.close()
        }
        channel.read(offset: 0, length: 2, queue: queue) { _, data, _ in
          log.mark("first \(data?.count ?? 0)")
        }
        channel.barrier { log.mark("barrier of \(channel.fileDescriptor == pipe.from)") }
        channel.read(offset: 0, length: 1, queue: queue) { _, data, _ in
          log.mark("second \(data?.count ?? 0)")
        }
        channel.close()
        for _ in 0..<3 {
          try await Task.sleep(for: .milliseconds(5))
          pipe.send(1)
        }
        await log.wait(for: 4)
      }
      #expect(log == ["first 2@10", "barrier of true@10", "second 1@15", "closed@15"])
    }

    @Test func `a channel that is stopped ends a read that waits`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let channel = DispatchIO(type: .stream, fileDescriptor: pipe.from, queue: .global()) { _ in
          log.mark("closed")
          pipe.close()
        }
        channel.read(offset: 0, length: 1, queue: .global()) { isDone, data, error in
          log.mark("\(isDone) \(error == ECANCELED)")
        }
        try await Task.sleep(for: .milliseconds(5))
        channel.close(flags: .stop)
        await log.wait(for: 2)
      }
      #expect(log == ["true true@5", "closed@5"])
    }

    @Test func `an interval delivers what has come so far`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let queue = DispatchQueue(label: "channel")
        let channel = DispatchIO(type: .stream, fileDescriptor: pipe.from, queue: queue) { _ in
          pipe.close()
          log.mark("closed")
        }
        channel.setInterval(interval: .milliseconds(10), flags: .strictInterval)
        channel.read(offset: 0, length: 4, queue: queue) { isDone, data, _ in
          log.mark("\(isDone) \(data?.count ?? 0)")
        }
        channel.close()
        for _ in 0..<4 {
          try await Task.sleep(for: .milliseconds(4))
          pipe.send(1)
        }
        await log.wait(for: 3)
      }
      #expect(log == ["false 2@10", "true 2@16", "closed@16"])
    }

    @Test func `bytes are read from a file descriptor when they come`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        DispatchIO.read(
          fromFileDescriptor: pipe.from, maxLength: 3, runningHandlerOn: .global()
        ) { data, error in log.mark("\(data.count) \(error)") }
        try await Task.sleep(for: .milliseconds(5))
        pipe.send(3)
        await log.wait(for: 1)
        pipe.close()
      }
      #expect(log == ["3 0@5"])
    }

    @Test func `bytes are written to a file descriptor when there is room`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let count = pipe.fill()
        let data = [1, 2, 3].withUnsafeBytes { DispatchData(bytes: $0) }
        DispatchIO.write(
          toFileDescriptor: pipe.to, data: data, runningHandlerOn: .global()
        ) { data, error in log.mark("\(data?.count ?? 0) \(error)") }
        try await Task.sleep(for: .milliseconds(5))
        pipe.receive(count)
        await log.wait(for: 1)
        pipe.close()
      }
      #expect(log == ["0 0@5"])
    }

    @Test func `a channel of a path writes and reads`() async throws {
      let path = NSTemporaryDirectory() + "/channel-\(UUID())"
      let log = try await sameLog { log in
        let queue = DispatchQueue(label: "channel")
        let channel = DispatchIO(
          type: .random, path: path, oflag: O_RDWR | O_CREAT | O_TRUNC, mode: 0o600, queue: queue
        ) { log.mark("closed \($0)") }
        let data = [UInt8](repeating: 1, count: 100_000).withUnsafeBytes {
          DispatchData(bytes: $0)
        }
        channel?.write(offset: 0, data: data, queue: queue) { isDone, _, _ in
          if isDone { log.mark("written") }
        }
        channel?.barrier {}
        channel?.read(offset: 10, length: 50_000, queue: queue) { isDone, data, _ in
          if isDone { log.mark("read \(data?.count ?? 0)") }
        }
        channel?.close()
        await log.wait(for: 3)
      }
      try FileManager.default.removeItem(atPath: path)
      #expect(log == ["written@0", "read 50000@0", "closed 0@0"])
    }

    @Test func `scopes read a file one after the other`() async throws {
      let pipe = Ends.ofPipe()
      let log = try await sameLog { log in
        DispatchIO.read(
          fromFileDescriptor: pipe.from, maxLength: 2, runningHandlerOn: .global()
        ) { data, _ in log.mark("\(data.count)") }
        try await Task.sleep(for: .milliseconds(5))
        pipe.send(2)
        await log.wait(for: 1)
      }
      pipe.close()
      #expect(log == ["2@5"])
    }
  }
#endif
