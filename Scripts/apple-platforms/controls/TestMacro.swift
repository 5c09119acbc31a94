// binary operator '==' cannot be applied to operands of type 'Int' and 'String'
import Testing

@Test func `a number is a text`() {
  let count: Int = 1
  #expect(count == "1")
}
