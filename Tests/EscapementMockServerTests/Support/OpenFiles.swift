#if MockServer && canImport(Glibc)
  import Glibc
  import _EscapementCore

  /// Files that fill the table of the process.
  final class OpenFiles: Sendable {
    private let files: Lock<[Int32]>

    /// Opens files until the system refuses one.
    init() {
      var files: [Int32] = []
      while case let file = dup(STDERR_FILENO), file >= 0 { files.append(file) }
      self.files = Lock(files)
    }

    func close() {
      let files = files.withLock { files in
        defer { files = [] }
        return files
      }
      for file in files { Glibc.close(file) }
    }

    struct LimitError: Error {
      let code: Int32
    }

    /// Lets this process open only a few more files.
    static func limit(toMore count: Int) throws {
      let next = dup(STDERR_FILENO)
      Glibc.close(next)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { throw LimitError(code: errno) }
      limit.rlim_cur = rlim_t(Int(next) + count)
      guard setrlimit(resource, &limit) == 0 else { throw LimitError(code: errno) }
    }
  }
#endif
