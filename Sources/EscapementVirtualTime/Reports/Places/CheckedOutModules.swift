#if os(Linux)
  import Glibc

  /// The modules of the packages on which a package depends, as far as folders tell.
  ///
  /// SwiftPM has the packages in the folder in which it builds: for a program in `.build/debug`, each
  /// folder of `.build/checkouts` is a package, and the folders in its folder `Sources` are most
  /// often its modules. One with the name of a folder of the own package may be something else. In a
  /// program that was built in another way, no module is known.
  enum CheckedOutModules {
    /// Those of this program.
    static let names = names(beside: program)

    /// Those of a program at a path.
    static func names(beside program: String) -> [String] {
      var folder = program[...]
      while let slash = folder.lastIndex(of: "/") {
        folder = folder[..<slash]
        guard access("\(folder)/workspace-state.json", F_OK) == 0 else { continue }
        let root = folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)
        let own = ["Sources", "Tests"].flatMap { entries(of: "\(root)/\($0)") }
        return entries(of: "\(folder)/checkouts")
          .flatMap { entries(of: "\(folder)/checkouts/\($0)/Sources") }
          .filter { !own.contains($0) }
          .map { $0.replacing("-", with: "_") }
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
