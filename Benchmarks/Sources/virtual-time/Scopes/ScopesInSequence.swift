import BenchmarkSupport
import EscapementVirtualTime

/// What is left in memory of scopes that have ended.
struct ScopesInSequence: Codable {
  let count: Int
  /// The resident memory before them; `nil` where it cannot be read.
  let bytesBefore: Int?
  let bytesAfter: Int?

  /// Runs so many scopes, one after the other, of one task each that uses an actor and sleeps.
  @concurrent init(count: Int) async throws {
    let visited = Visited()
    func run(_ count: Int) async throws {
      for _ in 0..<count {
        try await withVirtualTime { _ in
          let task = Task {
            await visited.visit()
            try await Task.sleep(for: .seconds(1))
          }
          try await task.value
        }
      }
    }
    // So that what is set up once is not counted.
    try await run(1_000)
    bytesBefore = ResidentMemory.bytes
    try await run(count)
    bytesAfter = ResidentMemory.bytes
    self.count = count
  }

  /// Measures in a process of its own.
  static func measureInFreshProcess(count: Int) throws -> ScopesInSequence {
    try FreshProcess.run(["--scopes-in-sequence", "\(count)"])
  }

  var text: String {
    func kibibytes(_ bytes: Int?) -> String { bytes.map { "\(($0 / 1024).grouped) KiB" } ?? "-" }
    return """
      Resident memory before \(count.grouped) scopes in sequence \(kibibytes(bytesBefore)), after \
      them \(kibibytes(bytesAfter))
      """
  }
}

private actor Visited {
  private var count = 0
  func visit() { count += 1 }
}
