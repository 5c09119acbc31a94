import _EscapementCore

#if os(Linux) && canImport(Runtime)
  import Runtime

  /// The functions and lines of addresses in the program, found once for each address.
  enum Symbols {
    /// `nil` stands for code that is not the user's.
    private static let known = Lock<[UInt64: String?]>([:])

    /// The user's calls among those that go on at these addresses.
    static func calls(goingOnAt addresses: [UInt64]) -> [String] {
      let missing = known.withLock { known in addresses.filter { known[$0] == nil } }
      if !missing.isEmpty {
        let found = zip(missing, describe(missing))
        known.withLock { $0.merge(found) { first, _ in first } }
      }
      return known.withLock { known in addresses.compactMap { known[$0] ?? nil } }
    }

    /// One text for each address, in their order.
    private static func describe(_ addresses: [UInt64]) -> [String?] {
      let nothing = [String?](repeating: nil, count: addresses.count)
      guard let backtrace = Backtrace(resumingAt: addresses),
        let frames = backtrace.symbolicated(with: ImageMap.capture())?.frames
      else { return nothing }
      // A function that was inlined has a frame of its own, before that of its caller.
      var texts: [UInt64: String] = [:]
      for frame in frames {
        guard let address = UInt64(frame.captured.originalProgramCounter), texts[address] == nil,
          let text = text(for: frame)
        else { continue }
        texts[address] = text
      }
      return addresses.map { texts[$0] }
    }

    private static func text(for frame: SymbolicatedBacktrace.Frame) -> String? {
      guard let symbol = frame.symbol, !frame.isSwiftThunk, !frame.isSystem, isUsers(symbol) else {
        return nil
      }
      let name = shortened(symbol.name)
      guard let location = symbol.sourceLocation, location.line > 0,
        let file = location.path.split(separator: "/").last,
        // The lines of code inside a macro such as `#expect` are those of its expansion.
        !file.hasPrefix("@__swiftmacro")
      else { return name }
      return "\(name) \(file):\(location.line)"
    }

    /// Of `closure #1 in closure #2 in f()`, the words `closure in f()`.
    private static func shortened(_ name: String) -> String {
      // The compiler keeps the spaces of names such as `f of x` apart from others.
      let name = String(name.map { $0 == "\u{A0}" ? " " : $0 })
      var rest = name[...]
      while rest.hasPrefix("closure #") {
        let afterNumber = rest.dropFirst("closure #".count).drop { $0.isNumber }
        rest = afterNumber.hasPrefix(" in ") ? afterNumber.dropFirst(4) : ""
      }
      if rest.count == name.count { return name }
      return rest.isEmpty ? "a closure" : "closure in \(rest)"
    }

    /// Whether a function is neither the toolchain's nor this library's.
    private static func isUsers(_ symbol: SymbolicatedBacktrace.Symbol) -> Bool {
      guard !symbol.imageName.hasPrefix("libswift") else { return false }
      let name = symbol.rawName.drop { $0 != "s" }.dropFirst()
      guard let length = Int(name.prefix { $0.isNumber }) else { return true }
      let module = name.drop { $0.isNumber }.prefix(length)
      return !Self.ownModules.contains(String(module))
    }

    private static let ownModules: Set = [
      "_EscapementCore", "EscapementClocks", "EscapementVirtualTime", "EscapementTesting",
    ]
  }

  extension Backtrace {
    /// The backtrace of calls that go on at these addresses, innermost first.
    ///
    /// `Runtime` makes a backtrace only of the running thread, or of its compact format, in which a
    /// frame is the distance from the one before
    /// (`docs/CompactBacktraceFormat.md` in the repository of Swift).
    fileprivate init?(resumingAt addresses: [UInt64]) {
      let wordOf64Bits: UInt8 = 2
      let resumePointOf8Bytes: UInt8 = 0x37
      var bytes = [wordOf64Bits]
      var last: UInt64 = 0
      for address in addresses {
        bytes.append(resumePointOf8Bytes)
        withUnsafeBytes(of: (address &- last).bigEndian) { bytes += $0 }
        last = address
      }
      #if arch(x86_64)
        let architecture = "x86_64"
      #elseif arch(arm64)
        let architecture = "arm64"
      #else
        return nil
      #endif
      let coded = CodedStrings(["architecture": architecture, "backtrace": base64(bytes)])
      guard let backtrace = try? Backtrace(from: coded) else { return nil }
      self = backtrace
    }
  }

#else

  enum Symbols {
    static func calls(goingOnAt addresses: [UInt64]) -> [String] { [] }
  }

#endif
