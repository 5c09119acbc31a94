#if os(Linux) && canImport(Runtime)
  import Foundation
  import Testing
  import _EscapementCore

  @testable import EscapementVirtualTime

  @Suite struct SymbolsTests {
    @Test func `images are found while another thread maps some and takes them away`() {
      let isDone = Lock(false)
      let program = "/bin/sh"  // not an image of this process
      Thread {
        let file = open(program, O_RDONLY)
        while !isDone.withLock({ $0 }) {
          let image = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE, file, 0)
          munmap(image, 1 << 20)
        }
        close(file)
      }.start()
      for _ in 0..<300 { #expect(!Symbols.captureImages().isEmpty) }
      isDone.withLock { $0 = true }
    }

    @Test(arguments: [
      ("Store.load()", "Store.load()"),
      ("Store.load\u{A0}twice()", "Store.load twice()"),
      ("closure #1 in Store.load()", "closure in Store.load()"),
      ("closure #12 in closure #3 in Store.load()", "closure in Store.load()"),
      ("specialized Store.load()", "Store.load()"),
      ("specialized closure #1 in Store.load()", "closure in Store.load()"),
      ("closure #1", "a closure"),
      ("partial apply for closure #1 in Store.load()", "closure in Store.load()"),
      ("poll #1 () in closure #2 in Store.load()", "poll() in Store.load()"),
      ("poll #1 @Sendable (Swift.Int) in Store.load()", "poll(…) in Store.load()"),
      ("closure #1 in poll #1 () in Store.load()", "closure in poll() in Store.load()"),
      ("start() in Model #1 in closure #3 in Store.load()", "Model.start()"),
      ("closure #1 in start() in Model #1 in Store.load()", "closure in Model.start()"),
      ("(extension in M):Store.load(in: Int)", "(extension in M):Store.load(in: Int)"),
    ])
    func `names of functions are shortened`(_ name: String, _ shortened: String) {
      #expect(Symbols.shortened(name) == shortened)
    }

    @Test(arguments: [
      ("$s7NIOCore9EventLoopP7executeyyF", "NIOCore"),
      // An extension of a type of NIOCore in the module Shop, and an extension of a type of Shop.
      ("$s7NIOCore9EventLoopP4ShopE5priceyyF", "Shop"),
      ("$s4Shop5StoreV7NIOCoreE4loadyyF", "NIOCore"),
      ("$s4Shop17LoggingEventStoreV4loadyyF", "Shop"), ("$sSS4ShopE5priceyyF", "Shop"),
      ("main", nil), ("$s", nil),
    ])
    func `a function is in the module of its extension`(_ rawName: String, _ module: String?) {
      #expect(Symbols.module(of: rawName) == module)
    }
  }
#endif
