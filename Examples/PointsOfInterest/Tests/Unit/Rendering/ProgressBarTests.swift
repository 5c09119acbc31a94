import Testing

@testable import poi

@Suite struct ProgressBarTests {
  @Test func `the bar grows with the fraction`() {
    var bar = ProgressBar()
    #expect(bar.update(to: 0) == "\r░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   0 %")
    #expect(bar.update(to: 0.5) == "\r████████████████████░░░░░░░░░░░░░░░░░░░░  50 %")
    #expect(bar.update(to: 1) == "\r████████████████████████████████████████ 100 %")
  }

  @Test func `the bar is redrawn only when the percentage changes`() {
    var bar = ProgressBar()
    #expect(bar.update(to: 0.25) != nil)
    #expect(bar.update(to: 0.2599) == nil)
    #expect(bar.update(to: 0.26) != nil)
  }

  @Test func `the bar stays within its bounds`() {
    var (below, above) = (ProgressBar(), ProgressBar())
    #expect(below.update(to: -1)?.hasSuffix("   0 %") == true)
    #expect(above.update(to: 2)?.hasSuffix(" 100 %") == true)
  }
}
