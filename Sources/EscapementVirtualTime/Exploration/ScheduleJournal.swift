import CVirtualTime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The choices of the run that is under way, in a file that outlives the process.
///
/// The file is memory that the kernel writes back when the process has died. So a choice costs a
/// store. The process that explores holds the lock of the file (``JournalLocks``); when there is no
/// lock and the file says that a trap or another signal of its own has killed the process, the run
/// may have caused it.
final class ScheduleJournal: @unchecked Sendable {
  // Sendable because one run is under way at a time, and its choices are made under the lock of its
  // scope.

  private static let capacity = 1 << 16

  /// Words: whether the process has died in a run, how many choices follow, and two for each choice.
  private let words: UnsafeMutablePointer<UInt32>
  private let name: String
  private let directory: String
  /// The choices of a run in which its process died, if there is one.
  let interrupted: ExecutionSchedule?
  private let test: String
  private var lastWords: LastWords?

  /// Opens the journal of a test; `nil` if the file system does not allow it.
  ///
  /// - Parameter test: The test. Cases of a test that run side by side get a journal each.
  init?(test: String, in directory: String) {
    _ = mkdir(directory, 0o700)
    var fingerprint = Fingerprint()
    for byte in test.utf8 { fingerprint.mix(UInt64(byte)) }
    let names = (0..<64).lazy.map { "\(fingerprint.value)-\($0)" }
    guard let name = names.first(where: { JournalLocks.acquire($0, in: directory) }) else {
      return nil
    }
    guard let words = Self.map("\(directory)/\(name)") else {
      JournalLocks.release(name, in: directory)
      return nil
    }
    (self.test, self.name, self.directory, self.words) = (test, name, directory, words)
    interrupted = words[0] == 0 ? nil : Self.read(words)
  }

  deinit {
    lastWords = nil
    if words[0] == 0 { unlink("\(directory)/\(name)") }
    munmap(words, Self.size)
    JournalLocks.release(name, in: directory)
  }

  private static let size = capacity * MemoryLayout<UInt32>.stride

  /// The file stays mapped after it has been closed.
  private static func map(_ path: String) -> UnsafeMutablePointer<UInt32>? {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard ftruncate(file, off_t(size)) == 0,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { return nil }
    return memory.bindMemory(to: UInt32.self, capacity: capacity)
  }

  /// A run begins.
  ///
  /// - Parameters:
  ///   - schedule: What decides its order.
  ///   - isReplayed: Whether the next search replays a run that kills its process.
  func begin(_ schedule: String = "in the plain order", isReplayed: Bool = true) {
    lastWords = nil
    (words[1], words[0]) = (0, 0)
    let next =
      isReplayed
      ? "The next run of this test makes the schedule small, and reports it."
      : "The next search tries its schedule after the plain order, and names it."
    lastWords = LastWords(
      "Escapement: this process dies while '\(test)' runs \(schedule). \(next)", marking: words)
  }

  /// No run is under way.
  func end() {
    lastWords = nil
    words[0] = 0
  }

  /// The run has chosen another candidate than the first one.
  func note(decision: Int, place: Int) {
    let next = 2 + 2 * Int(words[1])
    guard next + 1 < Self.capacity else { return }
    words[next] = UInt32(truncatingIfNeeded: decision)
    words[next + 1] = UInt32(truncatingIfNeeded: place)
    words[1] += 1
  }

  private static func read(_ words: UnsafeMutablePointer<UInt32>) -> ExecutionSchedule {
    ExecutionSchedule(
      (0..<min(Int(words[1]), capacity / 2 - 1)).map { index in
        .init(
          decision: Int(words[2 + 2 * index]), kind: .runs(Int(words[3 + 2 * index])))
      })
  }
}
