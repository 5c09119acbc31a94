#if os(Linux) && canImport(Runtime)
  @_spi(Internal) import Runtime
#endif

/// Finds the function and the line at which a task goes on.
enum Places {
  /// The first place in code with a source file that is not the standard library's.
  ///
  /// - Complexity: milliseconds; only for what is printed.
  static func describe(_ addresses: [UInt]) -> String? {
    #if os(Linux) && canImport(Runtime)
      guard !addresses.isEmpty else { return nil }
      let frames = addresses.map { RichFrame<UInt64>.asyncResumePoint(UInt64($0)) }
      let backtrace = Backtrace(
        architecture: architecture, frames: frames, images: ImageMap.capture())
      for frame in backtrace.symbolicated()?.frames ?? [] where !frame.isSwiftThunk && !frame.isSystem {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else {
          continue
        }
        let file = place.path.split(separator: "/").last.map(String.init) ?? place.path
        return "\(symbol.name)   \(file):\(place.line)"
      }
    #endif
    return nil
  }

  #if arch(x86_64)
    private static let architecture = "x86_64"
  #else
    private static let architecture = "arm64"
  #endif
}
