#if os(Linux)
  import CReach
  import CVirtualTime
  import Foundation
  import Testing

  @testable import EscapementVirtualTime

  @Suite struct OverridesTests {
    private static let names = Reach.overrides.map { String(cString: $0.name) }

    @Test func `calls of each overridden function come to the override`() {
      #expect(Reach.warning(of: Reach.overrides) == nil)
      #expect(Self.names.count > 100)
      #expect(Set(Self.names).count == Self.names.count)
    }

    @Test(arguments: names)
    func `libraries that the program loads call the override, too`(name: String) {
      let function = dlsym(nil, name)
      #expect(cvt_is_own(UInt64(UInt(bitPattern: function))))
    }

    @Test(arguments: names.indices)
    func `the warning on a missing function names it, and says what happens without it`(
      index: Int
    ) throws {
      var overrides = Reach.overrides
      overrides[index].function = UnsafeRawPointer(try #require(dlsym(nil, "malloc")))
      let warning = try #require(Reach.warning(of: overrides))
      #expect(warning.contains("override of \(Self.names[index])."))
      #expect(warning.contains("Without it, \(String(cString: overrides[index].without))."))
      #expect(warning.contains("hold { }"))
    }

    @Test func `each overridden function is in a table`() throws {
      let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources")
      let pattern = #/OVERRIDE [A-Za-z_() ]*[ *]+([A-Za-z0-9_$]+)\(/#
      var found = 0
      for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      where file.hasSuffix(".c") {
        let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
        for match in text.matches(of: pattern) where match.1 != "name" {
          // `gettimeofday` has another name in C.
          #expect(Self.names.contains(String(match.1.replacing("cvt_", with: ""))), "\(file)")
          found += 1
        }
      }
      #expect(found > 60)
    }
  }
#endif
