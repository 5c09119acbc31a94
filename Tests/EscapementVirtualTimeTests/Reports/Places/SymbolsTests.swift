#if os(Linux) && canImport(Runtime)
  import Glibc
  import TestSupport
  import Testing

  @testable import EscapementVirtualTime

  @Suite struct SymbolsTests {
    @Test func `images are found while other threads map some and take them away`() async throws {
      try await withThrowingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            let file = try #require(CommandLine.arguments.first.map { open($0, O_RDONLY) })
            defer { close(file) }
            while !Task.isCancelled {
              let image = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE, file, 0)
              munmap(image, 1 << 20)
              await Task.yield()
            }
          }
        }
        for _ in 0..<50 {
          #expect(!Symbols.captureImages().isEmpty)
          await Task.yield()
        }
        group.cancelAll()
      }
    }
  }
#endif
