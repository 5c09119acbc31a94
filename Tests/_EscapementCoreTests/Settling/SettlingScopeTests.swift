import Testing
import _EscapementCore

@Suite struct SettlingScopeTests {
  @Test func `without a function that finds it there is no current scope`() {
    #expect(SettlingScope.current == nil)
  }
}
