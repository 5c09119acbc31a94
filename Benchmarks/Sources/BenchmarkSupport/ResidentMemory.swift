import Foundation

/// The memory of this process that is in use.
package enum ResidentMemory {
  /// The number of bytes, or `nil` where it cannot be read.
  ///
  /// From `smaps_rollup`, which counts the pages; `statm` is off by a few hundred of them.
  package static var bytes: Int? {
    guard
      let file = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8),
      let line = file.split(separator: "\n").first(where: { $0.hasPrefix("Rss:") }),
      let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return kibibytes * 1024
  }
}
