import Testing
import _EscapementCore

@Suite struct SettlingScopeTests {
  @Test func `there is no scope where nothing finds one`() {
    #expect(SettlingScope.current == nil)
  }
}
