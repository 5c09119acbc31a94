/// An iteration over what a recorder has recorded, and what it goes on to record.
///
/// It ends when its task is cancelled, and keeps the recorder observing until then.
public struct RecordIterator<Element>: AsyncIteratorProtocol {
  private let recorder: AnyObject
  private let recorded: RecordedElements<Element>
  private var index = 0

  init(_ recorder: AnyObject, _ recorded: RecordedElements<Element>) {
    self.recorder = recorder
    self.recorded = recorded
  }

  /// Waits for the next element, and returns `nil` when the task is cancelled.
  public mutating func next() async -> Element? { await next(isolation: #isolation) }

  /// Waits for the next element, and returns `nil` when the task is cancelled.
  public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    guard let element = await recorded.element(at: index) else { return nil }
    index += 1
    return element
  }
}
