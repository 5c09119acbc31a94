#if os(Linux)
  import CEventFiles
  import Foundation
  import _EscapementCore

  /// An event loop with a thread of its own, made of the same files as those of SwiftNIO.
  final class EventLoop: Sendable {
    typealias Work = @Sendable () -> Void

    private struct State {
      var work: [Work] = []
      var timers: [(deadline: UInt64, work: Work)] = []
      var readers: [Int32: Work] = [:]
      var isRunning = true
    }

    let epoll = make_epoll()
    private let wakeUps = make_eventfd(false)
    private let timer = make_timerfd(CLOCK_MONOTONIC)
    private let state = Lock(State())

    private init() {
      add_to_epoll(epoll, wakeUps)
      add_to_epoll(epoll, timer)
    }

    /// Starts a loop.
    ///
    /// - Parameter threadName: A name as SwiftNIO gives it to the loops that it shares in a process.
    static func start(threadName: String = "loop") -> EventLoop {
      let started = DispatchSemaphore(value: 0)
      let loop = Lock<EventLoop?>(nil)
      Thread.detachNewThread {
        name_thread(threadName)
        let new = EventLoop()
        loop.withLock { $0 = new }
        started.signal()
        new.run()
      }
      started.wait()
      return loop.withLock { $0! }
    }

    /// Runs something on the loop.
    func execute(_ work: @escaping Work) {
      state.withLock { $0.work.append(work) }
      write_eventfd(wakeUps, 1)
    }

    /// Runs something on the loop, later.
    func schedule(after milliseconds: UInt64, _ work: @escaping Work) {
      let deadline = DispatchTime.now().uptimeNanoseconds + milliseconds * 1_000_000
      execute { self.state.withLock { $0.timers.append((deadline, work)) } }
    }

    /// Runs something on the loop whenever a file can be read.
    func whenReadable(_ file: Int32, _ work: @escaping Work) {
      execute {
        self.state.withLock { $0.readers[file] = work }
        add_to_epoll(self.epoll, file)
      }
    }

    func stop() { execute { self.state.withLock { $0.isRunning = false } } }

    private func run() {
      while state.withLock(\.isRunning) {
        let next = state.withLock { $0.timers.map(\.deadline).min() }
        if let next { arm(until: next) }
        var ready = [Int32](repeating: -1, count: 16)
        let count = Int(wait_for_epoll(epoll, -1, &ready))
        for file in ready.prefix(max(0, count)) { handle(file) }
      }
      for file in [epoll, wakeUps, timer] { close(file) }
    }

    private func arm(until deadline: UInt64) {
      let rest = Int64(deadline) - Int64(DispatchTime.now().uptimeNanoseconds)
      var old: [Int64] = [0, 0]
      set_timerfd(timer, false, max(1, rest), 0, &old)
    }

    private func handle(_ file: Int32) {
      var count: UInt64 = 0
      switch file {
      case wakeUps:
        read(file, &count, 8)
        for work in state.withLock({ state in
          defer { state.work = [] }
          return state.work
        }) {
          work()
        }
      case timer:
        read(file, &count, 8)
        let now = DispatchTime.now().uptimeNanoseconds
        let due = state.withLock { state in
          defer { state.timers.removeAll { $0.deadline <= now } }
          return state.timers.filter { $0.deadline <= now }
        }
        for (_, work) in due { work() }
      default:
        state.withLock { $0.readers[file] }?()
      }
    }
  }

  /// Two files on the loopback interface that are connected to each other.
  func connectedFiles() -> (Int32, Int32) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let server = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size)
        listen(listener, 1)
        getsockname(listener, $0, &size)
        connect(client, $0, size)
        return accept(listener, nil, nil)
      }
    }
    close(listener)
    return (client, server)
  }
#endif
