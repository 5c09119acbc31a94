// For AsyncAlgorithms, whose functions are not checked.
public struct Deque<Element>: RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
  ExpressibleByArrayLiteral
{
  public init() { fatalError() }
  public init(arrayLiteral elements: Element...) { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> Element {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func popFirst() -> Element? { fatalError() }
  public mutating func replaceSubrange<C: Collection<Element>>(
    _ range: Range<Int>, with elements: C
  ) { fatalError() }
}
extension Deque: Sendable where Element: Sendable {}
