#if os(Linux) && !ESCAPEMENT_PORTABLE
  import CReach
  import Foundation
  import Testing

  @testable import EscapementVirtualTime

  @Suite struct OverridesTests {
    @Test func `calls of each overridden function come to the override`() {
      let overrides = Reach.overrides
      #expect(overrides.count > 80)
      #expect(overrides.filter { !$0.arrives }.map { String(cString: $0.name) } == [])
      #expect(Set(overrides.map { String(cString: $0.name) }).count == overrides.count)
    }

    @Test func `libraries that the program loads call the overrides, too`() {
      // Foundation waits in these.
      for name in ["dispatch_async", "pthread_cond_wait", "pthread_mutex_lock", "poll"] {
        let function = dlsym(nil, name)
        #expect(cvt_is_own(UInt64(UInt(bitPattern: function))), "\(name)")
      }
    }

    @Test func `the warning on a missing function names it, and says what happens without it`() {
      for override in Reach.overrides {
        let warning = Reach.warning(missing: override)
        #expect(warning.contains("override of \(String(cString: override.name))."))
        #expect(warning.contains("Without it, \(String(cString: override.without))."))
        #expect(warning.contains("hold { }"))
      }
    }

    @Test func `each overridden function is in the table`() throws {
      let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/CReach")
      let known = Set(Reach.overrides.map { String(cString: $0.name) })
      let pattern = #/OVERRIDE [a-z_]+[a-z_ ]*[ *]+([a-z_A-Z]+)\(/#
      var found = 0
      for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      where file.hasSuffix(".c") {
        let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
        for match in text.matches(of: pattern) where match.1 != "name" {
          #expect(known.contains(String(match.1)), "\(file)")
          found += 1
        }
      }
      #expect(found > 50)
    }
  }
#endif
