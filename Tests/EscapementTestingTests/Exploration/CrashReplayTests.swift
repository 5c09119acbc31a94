#if os(Linux)
  import Testing

  @testable import EscapementTesting

  @Suite struct CrashReplayTests {
    @Test(arguments: [
      "AppTests.load()", "AppTests.CacheTests/`a cache (of 100 %) is \"full\", or not`()",
      "AppTests.`it’s a – b…`()", "AppTests.`x ≥ y → 🙂 € 5`()", "AppTests.`grün`(n:)",
    ])
    func `the pattern of a test matches its name and those of its cases, and no other`(
      name: String
    ) throws {
      let pattern = try Regex(CrashReplay.pattern(of: name))
      #expect(name.contains(pattern))
      #expect("\(name)/Tests.swift:7:4".contains(pattern))
      #expect(!"\(name)2".contains(pattern))
      #expect(!"My\(name)".contains(pattern))
    }
  }
#endif
