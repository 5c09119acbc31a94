#if os(Linux)
  import EscapementVirtualTime
  import Glibc
  import TestSupport
  import Testing

  /// Bytes on the loopback interface that the kernel would keep for a while.
  struct PacketTests {
    @Test(.virtualStandardClocks)
    func `a small packet comes at once, although the one before has not been acknowledged`()
      async throws
    {
      try await withVirtualTime { time in
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            #expect(bind(listener, $0, size) == 0)
            #expect(listen(listener, 1) == 0)
            #expect(getsockname(listener, $0, &size) == 0)
            #expect(connect(client, $0, size) == 0)
          }
        }
        let server = accept(listener, nil, nil)
        // It acknowledges packets after up to 40 ms.
        var no: Int32 = 0
        #expect(setsockopt(client, Int32(IPPROTO_TCP), TCP_QUICKACK, &no, 4) == 0)
        #expect(setsockopt(server, Int32(IPPROTO_TCP), TCP_QUICKACK, &no, 4) == 0)
        for (from, to) in [(client, server), (server, client)] {
          for text in ["a", "b", "c"] { #expect(write(from, text, 1) == 1) }
          var bytes = [UInt8](repeating: 0, count: 3)
          for read in 0..<3 {
            var file = pollfd(fd: to, events: Int16(POLLIN), revents: 0)
            #expect(poll(&file, 1, 1000) == 1)
            #expect(recv(to, &bytes[read], 1, 0) == 1)
          }
          #expect(bytes == Array("abc".utf8))
        }
        #expect(time.now.offset == .zero)
        for file in [server, client, listener] { close(file) }
      }
    }
  }
#endif
