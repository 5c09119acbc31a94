import Foundation
import TestSupport
import Testing
import _EscapementCore

@testable import EscapementMockHTTP

@Suite struct StubIndexTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the index finds the stubs that a look at each of them finds`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let methods: [HTTPStub.Method] = [.get, .post, .any]
    var index = StubIndex()
    var stubs: [(method: HTTPStub.Method, pattern: PathPattern)] = []
    for id in 0..<60 {
      let server = ["", "", "", "https://h", "https://h:1", "app://h"]
        .randomElement(using: &random)!
      var segments = (0..<Int.random(in: 1...3, using: &random)).map { position in
        ["a", "b", "", ":p\(position)"].randomElement(using: &random)!
      }
      if Int.random(in: 0..<4, using: &random) == 0 { segments.append("*") }
      let pattern = try PathPattern(server + "/" + segments.joined(separator: "/"))
      stubs.append((methods.randomElement(using: &random)!, pattern))
      index.insert(id, stubs[id].method, pattern)
    }
    for _ in 0..<300 {
      let server = ["https://h", "http://h", "https://h:1", "app://h", ""]
        .randomElement(using: &random)!
      let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        "/" + ["a", "b", "", "c"].randomElement(using: &random)!
      }.joined()
      guard let url = URL(string: server + path) else { continue }
      let address = HTTPStub.Address(url)
      let method = (methods + [.put]).randomElement(using: &random)!
      let expected = stubs.indices.filter {
        stubs[$0].method.matches(method) && stubs[$0].pattern.parameters(in: address) != nil
      }
      #expect(index.ids(method, address) == expected, "seed \(seed): \(method) \(url)")
    }
  }

  @Test func `a pattern for everything fits an address that no session can load`() throws {
    var index = StubIndex()
    index.insert(0, .any, .everything)
    let url = try #require(URL(string: "foo:bar"))
    #expect(index.ids(.put, HTTPStub.Address(url)) == [0])
  }
}
