#if os(Linux)
  import Glibc

  /// The modules of the packages on which a package depends.
  ///
  /// SwiftPM checks packages out beside what it builds: for a program in `.build/debug`, each folder
  /// of `.build/checkouts` is a package, whose folder `Sources` has a folder for each module. In a
  /// program that was built in another way, no module is known.
  enum CheckedOutModules {
    /// Those of this program.
    static let names = names(beside: program)

    /// Those of a program at a path.
    static func names(beside program: String) -> [String] {
      var folder = program[...]
      while let slash = folder.lastIndex(of: "/") {
        folder = folder[..<slash]
        let packages = entries(of: "\(folder)/checkouts")
        if !packages.isEmpty {
          return packages.flatMap { entries(of: "\(folder)/checkouts/\($0)/Sources") }
            .map { $0.replacing("-", with: "_") }
        }
      }
      return []
    }

    private static var program: String {
      String(unsafeUninitializedCapacity: Int(PATH_MAX)) {
        max(0, readlink("/proc/self/exe", $0.baseAddress!, $0.count))
      }
    }

    /// The names in a folder, in order; none if it cannot be read.
    private static func entries(of folder: String) -> [String] {
      guard let stream = opendir(folder) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
      }
      return names.sorted()
    }
  }
#endif
