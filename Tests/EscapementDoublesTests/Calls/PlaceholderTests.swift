import Testing

@testable import EscapementDoubles

@Suite struct PlaceholderTests {
  private struct WithoutPlaceholder {}

  @Test func `types with an empty value have it as their placeholder`() {
    #expect(Placeholder.make(Int?.self) == .some(nil))
    #expect(Placeholder.make([Int].self) == [])
    #expect(Placeholder.make(String.self) == "")
    #expect(Placeholder.make([String: Int].self) == [:])
    #expect(Placeholder.make(Set<Int>.self) == [])
    #expect(Placeholder.make(Int.self) == 0)
    #expect(Placeholder.make(Double.self) == 0)
    #expect(Placeholder.make(Bool.self) == false)
    #expect(Placeholder.make(Void.self) != nil)
  }

  @Test func `other types have no placeholder`() {
    #expect(Placeholder.make(WithoutPlaceholder.self) == nil)
  }
}
