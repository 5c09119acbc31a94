#if MockServer && canImport(Glibc)
  import Foundation
  import Glibc

  /// The files that this process has open.
  enum OpenFiles {
    struct LimitError: Error {
      let code: Int32
    }

    /// Calls a closure while the table of files is full.
    static func filled<Result>(_ body: () throws -> Result) rethrows -> Result {
      var files: [Int32] = []
      while case let file = dup(STDERR_FILENO), file >= 0 { files.append(file) }
      defer { for file in files { Glibc.close(file) } }
      return try body()
    }

    /// Lets this process open only a few more files.
    ///
    /// A process has inherited many files, with gaps between their numbers, when the test that starts it runs
    /// beside other tests. So the limit counts from the highest number, and the gaps are files as well.
    static func limit(toMore count: Int) throws {
      let highest = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap(Int.init).max()!
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { throw LimitError(code: errno) }
      limit.rlim_cur = rlim_t(highest + 1 + count)
      guard setrlimit(resource, &limit) == 0 else { throw LimitError(code: errno) }
    }
  }
#endif
