#if os(Linux)
  @preconcurrency import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  extension Ends {
    /// A source that notes how many bytes have come, and receives them.
    fileprivate func readSource(marking log: Log<String>) -> any DispatchSourceRead {
      let source = DispatchSource.makeReadSource(fileDescriptor: from)
      source.setEventHandler {
        log.mark("\(source.data)")
        receive(Int(source.data))
      }
      return source
    }
  }

  @Suite(.virtualStandardClocks) struct FileSourceTests {
    @Test func `a handler is told how many bytes can be read, at once`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(
          fileDescriptor: pipe.from, queue: DispatchQueue(label: "source"))
        source.setEventHandler {
          log.mark("\(source.data) of \(source.handle == pipe.from)")
          pipe.receive(Int(source.data))
        }
        source.activate()
        for count in 1...3 {
          try await Task.sleep(for: .milliseconds(5))
          pipe.send(count)
        }
        try await Task.sleep(for: .milliseconds(5))
        await source.end()
        pipe.close()
      }
      #expect(log == ["1 of true@5", "2 of true@10", "3 of true@15"])
    }

    @Test func `a handler that leaves bytes is called again`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        source.setEventHandler {
          log.mark("\(source.data)")
          pipe.receive(1)
        }
        source.activate()
        pipe.send(3)
        try await Task.sleep(for: .milliseconds(1))
        await source.end()
        pipe.close()
      }
      #expect(log == ["3@0", "2@0", "1@0"])
    }

    @Test func `a file is not asked while there is no handler`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        source.activate()
        pipe.send(1)
        try await Task.sleep(for: .milliseconds(5))
        source.setEventHandler {
          log.mark("\(source.data)")
          source.setEventHandler(handler: nil)
        }
        try await Task.sleep(for: .milliseconds(5))
        await source.end()
        pipe.close()
      }
      #expect(log == ["1@5"])
    }

    @Test func `a source that its handler cancels tells it after later blocks`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let queue = DispatchQueue(label: "queue")
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from, queue: queue)
        source.setEventHandler {
          queue.async { log.mark("block") }
          source.cancel()
        }
        source.setCancelHandler { log.mark("cancelled") }
        source.activate()
        pipe.send(1)
        try await Task.sleep(for: .milliseconds(1))
        pipe.close()
      }
      #expect(log == ["block@0", "cancelled@0"])
    }

    @Test func `a handler that sleeps is not called beside itself`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from, queue: .global())
        source.setEventHandler {
          log.mark("begins")
          usleep(2_000)
          pipe.receive(1)
          log.mark("ends")
        }
        source.activate()
        pipe.send(2)
        try await Task.sleep(for: .milliseconds(5))
        await source.end()
        pipe.close()
      }
      #expect(log == ["begins@0", "ends@2", "begins@2", "ends@4"])
    }

    @Test func `a source that is suspended tells when it is resumed`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let source = pipe.readSource(marking: log)
        source.activate()
        source.suspend()
        pipe.send(1)
        try await Task.sleep(for: .milliseconds(5))
        pipe.send(1)
        source.resume()
        try await Task.sleep(for: .milliseconds(5))
        await source.end()
        pipe.close()
      }
      #expect(log == ["2@5"])
    }

    /// In a process of its own: a process that another test begins has the end, too, for a moment.
    @Test(.takingTurns) func `a source tells once that the other end is gone`() async {
      await #expect(processExitsWith: .success) {
        let log = try await sameLog { log in
          let pipe = Ends.ofPipe()
          let source = pipe.readSource(marking: log)
          source.activate()
          try await Task.sleep(for: .milliseconds(5))
          Glibc.close(pipe.to)
          try await Task.sleep(for: .milliseconds(5))
          await source.end()
          Glibc.close(pipe.from)
        }
        #expect(log == ["0@5"])
      }
    }

    @Test func `a source of a full pipe tells when there is room`() async throws {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let count = pipe.fill()
        let source = DispatchSource.makeWriteSource(fileDescriptor: pipe.to)
        source.setEventHandler {
          log.mark("room")
          source.cancel()
        }
        source.activate()
        try await Task.sleep(for: .milliseconds(5))
        pipe.receive(count)
        try await Task.sleep(for: .milliseconds(5))
        pipe.close()
      }
      #expect(log == ["room@5"])
    }

    @Test func `of files that are ready at once, the first source goes first`() async throws {
      let log = try await sameLog { log in
        let pipes = (0..<4).map { _ in Ends.ofPipe() }
        let sources = [2, 0, 3, 1].map { i in
          let source = DispatchSource.makeReadSource(fileDescriptor: pipes[i].from)
          source.setEventHandler {
            log.mark("\(i)")
            pipes[i].receive(1)
          }
          source.activate()
          return source
        }
        for _ in 0..<2 {
          for pipe in pipes { pipe.send(1) }
          try await Task.sleep(for: .milliseconds(1))
        }
        for source in sources { await source.end() }
        for pipe in pipes { pipe.close() }
      }
      #expect(log == ["2@0", "0@0", "3@0", "1@0", "2@1", "0@1", "3@1", "1@1"])
    }

    @Test func `connections are accepted and read at the instant at which they come`()
      async throws
    {
      let log = try await sameLog { log in
        let (listener, port) = listeningSocket()
        let queue = DispatchQueue(label: "server")
        let readers = Log<any DispatchSourceRead>()
        let acceptor = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        acceptor.setEventHandler {
          log.mark("accepts \(acceptor.data)")
          let connection = Ends(from: accept(listener, nil, nil), to: -1)
          let reader = DispatchSource.makeReadSource(
            fileDescriptor: connection.from, queue: queue)
          reader.setEventHandler {
            log.mark("reads \(connection.receive(Int(reader.data)))")
            if reader.data == 0 { reader.cancel() }
          }
          reader.setCancelHandler { Glibc.close(connection.from) }
          reader.activate()
          readers.append(reader)
        }
        acceptor.activate()
        try await Task.sleep(for: .milliseconds(1))
        let client = connectedSocket(to: port)
        try await Task.sleep(for: .milliseconds(1))
        Ends(from: -1, to: client).send(7)
        try await Task.sleep(for: .milliseconds(1))
        Glibc.close(client)
        try await Task.sleep(for: .milliseconds(1))
        await acceptor.end()
        Glibc.close(listener)
      }
      #expect(log == ["accepts 1@1", "reads 7@2", "reads 0@3"])
    }

    @Test func `a cancel handler runs in the scope, also if the cancellation comes from outside`()
      async throws
    {
      let log = try await sameLog { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        try await Task.sleep(for: .milliseconds(5))
        await withCheckedContinuation { done in
          source.setCancelHandler {
            log.mark("cancelled")
            done.resume()
          }
          source.activate()
          Task { await VirtualTime.current?.hold { source.cancel() } }
        }
        pipe.close()
      }
      #expect(log == ["cancelled@5"])
    }

    @Test func `a source that a scope has left serves the next one`() async throws {
      let sources = Log<any DispatchSourceRead>()
      let log = Log<String>()
      let pipe = Ends.ofPipe()
      try await withVirtualTime(.reaching) { _ in
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        source.setEventHandler {
          pipe.receive(1)
          log.mark("read")
        }
        source.activate()
        source.suspend()
        sources.append(source)
      }
      try await withVirtualTime(.reaching) { _ in
        try await Task.sleep(for: .milliseconds(5))
        sources.entries[0].resume()
        try await Task.sleep(for: .milliseconds(5))
        pipe.send(1)
        try await Task.sleep(for: .milliseconds(5))
        await withCheckedContinuation { done in
          sources.entries[0].setCancelHandler {
            log.mark("cancelled")
            done.resume()
          }
          sources.entries[0].cancel()
        }
      }
      pipe.close()
      #expect(log.entries == ["read@10", "cancelled@15"])
    }

    @Test func `a source that a scope has left can be cancelled outside`() async throws {
      let sources = Log<any DispatchSourceRead>()
      let pipe = Ends.ofPipe()
      try await withVirtualTime(.reaching) { _ in
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        source.activate()
        sources.append(source)
      }
      await sources.entries[0].end()
      pipe.close()
    }

    @Test func `the handlers of a cancelled source are released`() async throws {
      final class Object: Sendable {}
      weak var weakObject: Object?
      try await withVirtualTime(.reaching) { _ in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        let object = Object()
        weakObject = object
        source.setEventHandler { _ = (source, object) }
        source.activate()
        source.cancel()
        try await Task.sleep(for: .milliseconds(1))
        pipe.close()
      }
      #expect(weakObject == nil)
    }
  }

  extension DispatchSourceProtocol {
    /// Cancels the source, and returns when its handlers have been called for the last time.
    func end() async {
      await withCheckedContinuation { done in
        setCancelHandler { done.resume() }
        cancel()
      }
    }
  }
#endif
