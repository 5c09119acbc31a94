import BenchmarkSupport
import EscapementVirtualTime
import Foundation

/// What threads wait for that is neither a queue nor an event loop.
enum WaitWorkload: String, CaseIterable {
  case poll = "poll of a pipe, there and back"
  case runLoop = "run of a run loop for 1 us"

  /// How long one takes in a scope whose threads are virtual.
  func microseconds(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    try await withVirtualTime { _ in await play(count) }
    return start.duration(to: .now).microseconds / Double(count)
  }

  /// How long one takes outside of scopes.
  func realMicroseconds(_ count: Int) async -> Double {
    let start = ContinuousClock.now
    await play(count)
    return start.duration(to: .now).microseconds / Double(count)
  }

  private func play(_ count: Int) async {
    switch self {
    case .poll:
      let (there, back) = (Pipe(), Pipe())
      Thread.detachNewThread { for _ in 0..<count { pass(from: there, to: back) } }
      await inThread {
        for _ in 0..<count {
          writeByte(to: there)
          readByte(from: back)
        }
      }
    case .runLoop:
      await inThread {
        // An empty run loop would not run.
        let idle = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        RunLoop.current.add(idle, forMode: .default)
        for _ in 0..<count { RunLoop.current.run(until: Date() + 0.000_001) }
        idle.invalidate()
      }
    }
  }
}

private func inThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { done in
    Thread.detachNewThread {
      body()
      done.resume()
    }
  }
}

private func pass(from: Pipe, to: Pipe) {
  readByte(from: from)
  writeByte(to: to)
}

private func writeByte(to pipe: Pipe) {
  var byte: UInt8 = 1
  write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
}

private func readByte(from pipe: Pipe) {
  var file = pollfd(
    fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
  poll(&file, 1, -1)
  var byte: UInt8 = 0
  read(file.fd, &byte, 1)
}
