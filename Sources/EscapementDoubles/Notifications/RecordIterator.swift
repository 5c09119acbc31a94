/// An iterator over the elements that a recorder has recorded and will record.
///
/// The iteration ends when its task is cancelled. The iterator keeps the recorder alive until it is
/// released.
public struct RecordIterator<Element>: AsyncIteratorProtocol {
  private let recorder: AnyObject
  private let recorded: RecordedElements<Element>
  private var index = 0

  init(_ recorder: AnyObject, _ recorded: RecordedElements<Element>) {
    self.recorder = recorder
    self.recorded = recorded
  }

  /// Waits for the next element.
  ///
  /// Returns `nil` if the task is cancelled.
  public mutating func next() async -> Element? { await next(isolation: #isolation) }

  /// Waits for the next element.
  ///
  /// Returns `nil` if the task is cancelled.
  public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    guard let element = await recorded.element(at: index) else { return nil }
    index += 1
    return element
  }
}
