import Testing

@testable import EscapementVirtualTime

@Suite struct CodedStringsTests {
  private struct Person: Decodable, Equatable {
    var name: String
    var town: String?
  }

  private struct Numbers: Decodable {
    var first: Int
  }

  @Test func `strings are decoded by their names, and one that is missing is nil`() throws {
    let coded = CodedStrings(["name": "Ada"])
    #expect(try Person(from: coded) == Person(name: "Ada", town: nil))
  }

  @Test func `what is not a string is refused`() {
    #expect(throws: CodedStrings.Unsupported.self) {
      try Numbers(from: CodedStrings(["first": "1"]))
    }
  }

  /// The examples of RFC 4648, section 10, without their padding.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func `text in Base64 is as in RFC 4648`(text: String, encoded: String) {
    #expect(base64(Array(text.utf8)) == encoded)
  }
}
