#if os(Linux) && canImport(Runtime)
  @_spi(Internal) import Runtime
#endif

/// Finds the function and the line at which a task goes on.
enum Places {
  /// The first place in code with a source file that is not the standard library's.
  ///
  /// - Parameter addresses: As `cvt_frames_of_task` finds them.
  /// - Complexity: milliseconds; only for what is printed.
  static func describe(_ addresses: [UInt]) -> String? {
    #if os(Linux) && canImport(Runtime)
      guard addresses.count > 1, let innermost = symbolicated(addresses[..<1]).first else {
        return nil
      }
      // A task that has not begun is about to be begun by the runtime.
      let hasBegun = innermost.symbol?.name.contains("future_adapter") != true
      let frames = symbolicated(
        hasBegun ? addresses[..<1] + addresses[2...] : addresses[1..<2])
      for frame in frames where !frame.isSwiftThunk && !frame.isSystem {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0 else {
          continue
        }
        let file = place.path.split(separator: "/").last.map(String.init) ?? place.path
        return "\(symbol.name) \(file):\(place.line)"
      }
    #endif
    return nil
  }

  #if os(Linux) && canImport(Runtime)
    private static func symbolicated(
      _ addresses: ArraySlice<UInt>
    ) -> [SymbolicatedBacktrace.Frame] {
      let frames = addresses.map { RichFrame<UInt64>.asyncResumePoint(UInt64($0)) }
      return Backtrace(architecture: architecture, frames: frames, images: images)
        .symbolicated()?.frames ?? []
    }

    private static let images = ImageMap.capture()
  #endif

  #if arch(x86_64)
    private static let architecture = "x86_64"
  #else
    private static let architecture = "arm64"
  #endif
}
