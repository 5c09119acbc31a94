/// The calls of a time, and how many of them have a mark, counted in ten slices.
struct SlidingCounts {
  private static var sliceCount: Int64 { 10 }

  let window: Int64
  private(set) var total = (calls: 0, marked: 0)
  private var slices: [(calls: Int, marked: Int)]
  /// The number of the newest slice, since the time 0.
  private var newest: Int64 = 0

  /// - Parameter window: The length of the time in nanoseconds, at least 10.
  init(window: Int64) {
    self.window = window
    slices = Array(repeating: (0, 0), count: Int(Self.sliceCount))
  }

  mutating func add(isMarked: Bool, at now: Int64) {
    forget(at: now)
    let index = Int(newest % Self.sliceCount)
    slices[index].calls += 1
    total.calls += 1
    guard isMarked else { return }
    slices[index].marked += 1
    total.marked += 1
  }

  /// Forgets what is no longer in the window.
  mutating func forget(at now: Int64) {
    let slice = max(newest, now / (window / Self.sliceCount))
    for _ in 0..<min(slice - newest, Self.sliceCount) {
      newest += 1
      let index = Int(newest % Self.sliceCount)
      total.calls -= slices[index].calls
      total.marked -= slices[index].marked
      slices[index] = (0, 0)
    }
    // Only the last ten slices count, and all of them are empty if there were more in between.
    guard newest < slice else { return }
    slices = Array(repeating: (0, 0), count: Int(Self.sliceCount))
    (newest, total) = (slice, (0, 0))
  }
}
