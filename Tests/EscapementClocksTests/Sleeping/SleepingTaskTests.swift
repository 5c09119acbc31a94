import Testing

@testable import EscapementClocks

@Suite struct SleepingTaskTests {
  private typealias Instant = TestClock<Duration>.Instant

  @Test(
    arguments: [
      (nil, nil, "a task"),
      ("refresh", nil, "task “refresh”"),
      (nil, 7, "task 7"),
      ("refresh", 7, "task 7 “refresh”"),
    ] as [(String?, UInt64?, String)])
  func `the description names the task by what is known of it`(
    name: String?, id: UInt64?, expected: String
  ) {
    let task = SleepingTask(
      deadline: Instant(offset: .seconds(3)), start: Instant(offset: .seconds(1)), taskName: name,
      taskID: id)
    #expect("\(task)" == "\(expected), asleep since 1.0 seconds until 3.0 seconds")
  }

  @Test func `a sleep without a deadline is described as one for ever`() {
    let task = SleepingTask(deadline: nil, start: Instant(), taskName: nil)
    #expect("\(task)" == "a task, asleep since 0.0 seconds for ever")
  }
}
