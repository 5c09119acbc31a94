import Testing

@testable import EscapementVirtualTime

@Suite struct ProcessorShareTests {
  private let millisecond: Nanoseconds = 1_000_000

  private func sample(at milliseconds: Nanoseconds, used: Nanoseconds, wanted: Int)
    -> ProcessorShare.Sample
  {
    ProcessorShare.Sample(
      realTime: milliseconds * millisecond, used: used * millisecond, wanted: wanted)
  }

  @Test func `it is what the threads have used of what they could`() {
    var share = ProcessorShare()
    share.add(sample(at: 0, used: 0, wanted: 2))
    #expect(share.share == 0)
    share.add(sample(at: 100, used: 50, wanted: 2))
    #expect(share.share == 0.25)
    share.add(sample(at: 200, used: 150, wanted: 1))
    #expect(share.share == 1)
    share.add(sample(at: 300, used: 350, wanted: 1))
    #expect(share.share == 1)
  }

  @Test func `a process of which no thread could run misses nothing`() {
    var share = ProcessorShare()
    share.add(sample(at: 0, used: 0, wanted: 2))
    share.add(sample(at: 100, used: 0, wanted: 0))
    #expect(share.share == 1)
  }

  @Test(arguments: [(0, 6, true), (0, 7, false), (0, 100, false), (1, 0, false)])
  func `a process is idle if no thread could run, and hardly any has run`(
    _ wanted: Int, _ used: Nanoseconds, _ isIdle: Bool
  ) {
    var share = ProcessorShare()
    share.add(sample(at: 0, used: 0, wanted: 0))
    #expect(!share.isIdle)
    share.add(sample(at: 100, used: used, wanted: wanted))
    #expect(share.isIdle == isIdle)
  }

  @Test func `of samples by two threads at once, the one that comes too late is left out`() {
    var share = ProcessorShare()
    share.add(sample(at: 0, used: 0, wanted: 2))
    share.add(sample(at: 100, used: 100, wanted: 2))
    share.add(sample(at: 99, used: 40, wanted: 2))
    share.add(sample(at: 149, used: 140, wanted: 2))
    #expect(share.share == 0.5)
    share.add(sample(at: 200, used: 300, wanted: 2))
    #expect(share.share == 1)
  }

  @Test func `a sample is due after 50 ms, and says nothing of more than a second`() {
    var share = ProcessorShare()
    #expect(share.isDue(at: 0))
    share.add(sample(at: 0, used: 0, wanted: 1))
    #expect(!share.isDue(at: 50 * millisecond - 1))
    #expect(share.isDue(at: 50 * millisecond))
    share.add(sample(at: 1_000, used: 500, wanted: 1))
    #expect(share.share == 0.5)
    share.add(sample(at: 2_001, used: 1_500, wanted: 1))
    #expect(share.share == 0)
  }
}
