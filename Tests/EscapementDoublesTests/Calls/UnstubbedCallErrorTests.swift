import Testing

@testable import EscapementDoubles

@Suite struct UnstubbedCallErrorTests {
  private func description(_ reason: UnstubbedCallError.Reason, input: String = "7") -> String {
    UnstubbedCallError(name: "load(id:)", input: input, reason: reason).description
  }

  @Test func `the message names the call and the reason`() {
    #expect(description(.noAnswer).hasPrefix("'load(id:)' was called with 7, but has no answer."))
    #expect(
      description(.answersUsedUp(2)).hasPrefix(
        "'load(id:)' was called with 7, but all 2 answers of its sequence have been used."))
    #expect(description(.handlerIsAsynchronous).contains("the handler of the spy is 'async'"))
  }

  @Test func `the message of a call without arguments mentions none`() {
    #expect(
      description(.noAnswer, input: "()").hasPrefix("'load(id:)' was called, but has no answer."))
  }
}
