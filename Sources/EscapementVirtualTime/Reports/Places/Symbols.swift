import CVirtualTime
import _EscapementCore

#if os(Linux) && canImport(Runtime)
  import Glibc
  @_spi(Internal) @_spi(MemoryReaders) import Runtime

  @_silgen_name("swift_demangle")
  private func swift_demangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
  ) -> UnsafeMutablePointer<CChar>?

  /// The functions and lines of addresses in the program, found once for each address.
  enum Symbols {
    /// The knowledge about an address.
    private enum Call {
      /// The call is not the user's; which closure of the user's it is made for, if for one.
      case hidden(closure: String? = nil)
      /// A function of a building block or double of this package, of Foundation, or of a package on
      /// which the user's depends.
      case block(String)
      /// The instruction that has the line of the `await`, if it is not where the call goes on.
      case function(String, hop: UInt64? = nil)
      /// The line belongs to what the compiler has generated in this function.
      case generated(in: String)
      /// The line has been looked for as well.
      case line(String)

      /// The text for the call in a report.
      var text: String? {
        switch self {
        case .hidden, .generated: nil
        case .block(let text), .function(let text, _), .line(let text): text
        }
      }

      var isBlock: Bool { if case .block = self { true } else { false } }

      /// The name of the function, if it is known.
      var name: String? {
        if case .generated(let function) = self { function } else { text }
      }
    }

    private struct State {
      private(set) var calls: [UInt64: Call] = [:]
      /// How many more lines may be looked for.
      private var linesLeft = 64

      func unknown(among addresses: [UInt64]) -> [UInt64] {
        addresses.filter { calls[$0] == nil }
      }

      /// The addresses whose line is to be looked for: at most one for each line that is to be shown.
      func withoutLine(_ addresses: [UInt64], lines: Int) -> [UInt64] {
        let shown = addresses.filter { address in
          calls[address].map { $0.text != nil && !$0.isBlock } ?? false
        }.prefix(lines)
        let missing = shown.filter { if case .function? = calls[$0] { true } else { false } }
        return Array(missing.prefix(linesToFind ?? linesLeft))
      }

      /// The instruction whose line is that of a call.
      func instruction(of address: UInt64) -> UInt64 {
        if case .function(_, let hop?)? = calls[address] { hop } else { address }
      }

      mutating func add(_ found: [UInt64: Call], withLines: Bool) {
        if withLines, linesToFind == nil { linesLeft -= found.count }
        calls.merge(found) { old, new in
          guard case .function(let function, let hop) = old else { return new }
          // If the hop has no line, the line behind it is looked for.
          if hop != nil, new.text?.hasPrefix("\(function) ") != true { return .function(function) }
          if case .hidden = new { return .generated(in: function) }
          return new
        }
      }
    }

    private static let state = Lock(State())

    /// Of two threads at once in `Runtime`, one gets no lines.
    private static let symbolication = Lock(())

    /// How many lines are found for each call, however many reports there were before; `nil` means
    /// the lines that are left.
    @TaskLocal static var linesToFind: Int?

    /// The user's calls among those that go on at these addresses; so many of them, with their
    /// lines.
    ///
    /// Of the calls inside a building block, Foundation or packages of others, only the one that the
    /// user has made is among them.
    ///
    /// - Complexity: `Runtime` takes time in proportion to the size of the program to find a line:
    ///   a tenth of a second for 80 MB. So no more than 64 lines of a process are looked for.
    static func calls(goingOnAt addresses: [UInt64], lines: Int) -> [String] {
      _ = learn({ $0.unknown(among: addresses) }, withLines: false) {
        .function(shortened($0.name), hop: hop(to: $0, at: $1))
      }
      // Only its line tells of a function that the compiler has generated, and the next one is
      // shown.
      while learn(
        { $0.withoutLine(addresses, lines: lines) }, withLines: true,
        { call, _ in .line(text(for: call)) })
      {}
      return state.withLock { state in
        let shown = addresses.compactMap { state.calls[$0] }.filter { $0.text != nil }
        return shown.enumerated().filter { index, call in
          !(call.isBlock && shown.dropFirst(index + 1).first?.isBlock == true)
        }.compactMap(\.element.text)
      }
    }

    /// Whether one of the calls is in no other package.
    static func areUsers(_ addresses: [UInt64]) -> Bool {
      _ = calls(goingOnAt: addresses, lines: 0)
      return state.withLock { state in
        addresses.contains { state.calls[$0].map { $0.text != nil && !$0.isBlock } ?? false }
      }
    }

    /// The user's calls since a job has begun among these addresses, innermost first.
    static func callsSinceJob(_ addresses: [UInt64]) -> [UInt64] {
      let texts = calls(goingOnAt: addresses, lines: 0)
      guard !texts.isEmpty else { return [] }
      return state.withLock { state in
        addresses.prefix { state.calls[$0]?.text?.hasPrefix(jobFunction) != true }
          .filter { state.calls[$0]?.name != nil }
      }
    }

    /// The function of an address that `callsSinceJob` has given.
    static func function(at address: UInt64) -> String? {
      state.withLock { $0.calls[address]?.name }
    }

    /// The function that runs a job.
    private static let jobFunction = "swift_job_run"

    /// The user's closure for which a function is made.
    static func closure(calledAt address: UInt64) -> String? {
      _ = calls(goingOnAt: [address], lines: 0)
      return state.withLock { state in
        if case .hidden(let closure)? = state.calls[address] { closure } else { nil }
      }
    }

    /// Finds the symbols of addresses; returns whether there were any.
    ///
    /// - Parameter call: Tells what is known of the user's.
    private static func learn(
      _ wanted: (State) -> [UInt64], withLines: Bool,
      _ call: (SymbolicatedBacktrace.Symbol, UInt64) -> Call
    ) -> Bool {
      guard !state.withLock({ wanted($0) }).isEmpty else { return false }
      return symbolication.withLock { _ in
        // Another thread may have found them meanwhile.
        let addresses = state.withLock { wanted($0) }
        guard !addresses.isEmpty else { return false }
        let found = symbols(of: addresses, withLines: withLines, call)
        state.withLock { $0.add(found, withLines: withLines) }
        return true
      }
    }

    private static func symbols(
      of addresses: [UInt64], withLines: Bool,
      _ call: (SymbolicatedBacktrace.Symbol, UInt64) -> Call
    ) -> [UInt64: Call] {
      var (found, origins) = ([UInt64: Call](), [UInt64: UInt64]())
      for address in addresses {
        found[address] = .hidden()
        origins[withLines ? state.withLock { $0.instruction(of: address) } : address] = address
      }
      // Other initialisers of a backtrace are not public.
      let backtrace = Backtrace(
        architecture: architecture,
        frames: origins.keys.map { RichFrame<UInt64>.asyncResumePoint($0) },
        images: captureImages())
      let options: Backtrace.SymbolicationOptions = withLines ? .showSourceLocations : []
      let frames = backtrace.symbolicated(options: options)?.frames ?? []
      for frame in frames {
        guard let address = UInt64(frame.captured.originalProgramCounter).flatMap({ origins[$0] }),
          let symbol = frame.symbol
        else { continue }
        guard frame.isSwiftThunk || frame.isSystem else {
          found[address] =
            !isUsers(symbol, at: address)
            ? .hidden()
            : symbol.imageName.hasPrefix("libFoundation") || isIn(blockModules, symbol)
              ? .block(shortened(symbol.name)) : call(symbol, address)
          continue
        }
        guard case .hidden? = found[address] else { continue }
        // A function of the compiler's that has the captured values of a closure, and calls it.
        let isForwarder =
          frame.isSwiftThunk && symbol.rawName.hasSuffix("TA") && isUsers(symbol, at: address)
        found[address] = .hidden(closure: isForwarder ? shortened(symbol.name) : nil)
      }
      return found
    }

    /// The instruction that hops back to the actor of a function after an `await`; `nil` if a call
    /// does not go on behind such a hop.
    private static func hop(
      to part: SymbolicatedBacktrace.Symbol, at address: UInt64
    ) -> UInt64? {
      // Part 0 of a function begins when the function enters its actor.
      guard part.offset == 0, part.rawName.contains(/TY[1-9]\d*_(\.\d+)?$/) else { return nil }
      let hop = cvt_hop_to(address)
      return hop == 0 ? nil : hop
    }

    /// What of the program and its libraries is in memory.
    ///
    /// It is read through the kernel: meanwhile, another thread may take an image out of memory.
    static func captureImages() -> ImageMap { ImageMap.capture(using: LocalMemoryReader()) }

    private static func text(for symbol: SymbolicatedBacktrace.Symbol) -> String {
      let name = shortened(symbol.name)
      guard let location = symbol.sourceLocation, location.line > 0,
        let file = location.path.split(separator: "/").last,
        // The lines of code inside a macro such as `#expect` are those of its expansion.
        !file.hasPrefix("@__swiftmacro")
      else { return name }
      let call = "\(name) \(file):\(location.line)"
      paths.withLock { $0[call] = location.path }
      return call
    }

    /// The paths of source files, by the texts of calls.
    private static let paths = Lock<[String: String]>([:])

    /// The path of the source file of a call whose line has been found.
    static func path(of call: String) -> String? { paths.withLock { $0[call] } }

    /// Whether a function is neither the toolchain's nor this library's.
    private static func isUsers(
      _ symbol: SymbolicatedBacktrace.Symbol, at address: UInt64
    ) -> Bool {
      let image = symbol.imageName
      guard !systemImages.contains(where: { image.hasPrefix($0) }),
        !symbol.name.contains("thunk for @"),
        // What a macro such as `@Test` has made of the user's function, which stands before it.
        !symbol.name.contains(".$s")
      else { return false }
      if symbol.rawName == jobFunction { return true }
      if cvt_is_own(address) || symbol.rawName.hasPrefix("rch_") { return false }
      return !isIn(ownModules, symbol)
    }

    private static func isIn(_ modules: Set<String>, _ symbol: SymbolicatedBacktrace.Symbol) -> Bool
    {
      module(of: symbol.rawName).map(modules.contains) ?? false
    }

    /// The module of a function: that of the extension in which it is, or of its type.
    ///
    /// - Parameter rawName: Such as `$s7NIOCore…`, or `$s7NIOCore9EventLoopP4ShopE…` in an extension.
    static func module(of rawName: String) -> String? {
      guard rawName.hasPrefix("$s") else { return nil }
      if let demangled = swift_demangle(rawName, rawName.utf8.count, nil, nil, 0) {
        defer { free(demangled) }
        let name = String(cString: demangled)
        let mark = "(extension in "
        if let function = parts(of: name[...]).last, let start = function.firstRange(of: mark) {
          return String(function[start.upperBound...].prefix { $0 != ")" })
        }
      }
      let identifier = rawName.dropFirst(2)
      let digits = identifier.prefix { $0.isNumber }
      return Int(digits).map { String(identifier.dropFirst(digits.count).prefix($0)) }
    }

    #if arch(x86_64)
      private static let architecture = "x86_64"
    #else
      private static let architecture = "arm64"
    #endif

    private static let systemImages = [
      "libswift", "libdispatch", "libBlocksRuntime", "libc.so", "libTesting", "lib_Testing",
    ]

    private static let ownModules: Set = [
      "_EscapementCore", "EscapementClocks", "EscapementVirtualTime", "EscapementTesting",
      "IssueReporting",
    ]

    private static let blockModules = Set(
      [
        "Escapement", "EscapementFoundation", "EscapementDoubles", "EscapementMockHTTP",
        "EscapementMockServer",
      ] + CheckedOutModules.names)
  }

#else

  enum Symbols {
    @TaskLocal static var linesToFind: Int?

    static func calls(goingOnAt addresses: [UInt64], lines: Int) -> [String] { [] }
    static func areUsers(_ addresses: [UInt64]) -> Bool { false }
    static func closure(calledAt address: UInt64) -> String? { nil }
    static func callsSinceJob(_ addresses: [UInt64]) -> [UInt64] { [] }
    static func function(at address: UInt64) -> String? { nil }
    static func path(of call: String) -> String? { nil }
  }

#endif
