import Foundation
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

@Suite struct JSONValueTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(Data(text.utf8)) }

  @Test(arguments: [
    (#"{"a":1,"b":[true,null]}"#, #"{ "b" : [ true, null ], "a" : 1.0 }"#),
    ("1", "1e0"), (#""é""#, #""\u00e9""#), ("[]", "[ ]"), ("1.10", "1.1"),
  ])
  func `order and layout make no difference`(left: String, right: String) throws {
    #expect(try value(left).difference(from: value(right)) == nil)
  }

  @Test(arguments: [
    (#"{"a":{"b":[1,2]}}"#, #"{"a":{"b":[1,3]}}"#, "$.a.b[1] is 2, not 3."),
    (#"{"a":1}"#, #"{"a":"1"}"#, #"$.a is 1, not "1"."#),
    ("{}", #"{"a":null}"#, "$.a is missing; it should be null."),
    (#"{"a":1}"#, "{}", "$.a is 1, but is not expected."),
    ("[1]", "[1,2]", "$ has 1 elements, not 2."),
    ("true", "1", "$ is true, not 1."),
    (#"{"b":2,"a":1}"#, "[]", #"$ is {"a":1,"b":2}, not []."#),
  ])
  func `the first difference has its path`(
    actual: String, expected: String, message: String
  ) throws {
    #expect(try value(actual).difference(from: value(expected)) == message)
  }

  @Test func `text that is not JSON is refused`() {
    #expect(throws: (any Error).self) { try value("{") }
    #expect(throws: (any Error).self) { try value("") }
  }
}
