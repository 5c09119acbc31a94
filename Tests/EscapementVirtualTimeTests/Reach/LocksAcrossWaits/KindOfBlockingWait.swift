#if os(Linux)
  import CEventFiles
  import Foundation

  /// The ways in which a thread waits for a millisecond.
  enum KindOfBlockingWait: String, CaseIterable, Sendable {
    case usleep, nanosleep, threadSleep
    case semaphoreTimeout, groupTimeout, conditionTimeout, posixTimeout, poll, select
    case queue, laterBlock, task, join, pipe

    func wait() {
      switch self {
      case .usleep: Foundation.usleep(1_000)
      case .nanosleep:
        var duration = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        Foundation.nanosleep(&duration, nil)
      case .threadSleep: Thread.sleep(forTimeInterval: 0.001)
      case .semaphoreTimeout:
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
      case .groupTimeout:
        let group = DispatchGroup()
        group.enter()
        _ = group.wait(timeout: .now() + .milliseconds(1))
        group.leave()
      case .conditionTimeout:
        let condition = NSCondition()
        condition.lock()
        _ = condition.wait(until: Date() + 0.001)
        condition.unlock()
      case .posixTimeout:
        let locks = make_posix_locks()
        _ = wait_for_posix_semaphore(locks, 1_000_000, false)
        free_posix_locks(locks)
      case .poll: Foundation.poll(nil, 0, 1)
      case .select:
        var rest = timeval(tv_sec: 0, tv_usec: 1_000)
        Foundation.select(0, nil, nil, nil, &rest)
      case .queue: DispatchQueue(label: "queue").sync { _ = Foundation.usleep(1_000) }
      case .laterBlock:
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { group.leave() }
        group.wait()
      case .task:
        let end = DispatchSemaphore(value: 0)
        Task.detached {
          try? await Task.sleep(for: .milliseconds(1))
          end.signal()
        }
        end.wait()
      case .join:
        var thread = pthread_t()
        pthread_create(
          &thread, nil,
          { _ in
            Foundation.usleep(1_000)
            return nil
          }, nil)
        pthread_join(thread, nil)
      case .pipe:
        let pipe = Pipe()
        Thread.detachNewThread {
          Foundation.usleep(1_000)
          pipe.fileHandleForWriting.write(Data([0]))
        }
        _ = pipe.fileHandleForReading.readData(ofLength: 1)
      }
    }
  }
#endif
