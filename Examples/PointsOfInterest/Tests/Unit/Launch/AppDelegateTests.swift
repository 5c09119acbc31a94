import PointsOfInterest
import Testing

@MainActor
@Suite struct AppDelegateTests {
  @Test func `the app starts its work when it is launched`() {
    var starts = 0
    AppDelegate(isHostingTests: false) { starts += 1 }.didFinishLaunching()
    #expect(starts == 1)
  }

  @Test func `an app that hosts tests does no work, and this is such a process`() {
    AppDelegate { Issue.record("The app has started its work.") }.didFinishLaunching()
  }
}
