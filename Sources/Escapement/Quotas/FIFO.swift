/// A queue from which any element can be removed, by its number.
///
/// Its elements are linked to their neighbours. So all methods are O(1), and a pass over the
/// elements does not meet those that were removed.
struct FIFO<Element> {
  private struct Node {
    let element: Element
    var previous: Int?
    var next: Int?
  }

  private var nodes: [Int: Node] = [:]
  private var firstID: Int?
  /// The number of the last element.
  private(set) var lastID: Int?
  private var nextID = 0

  var isEmpty: Bool { firstID == nil }

  var first: Element? { firstID.flatMap { nodes[$0]?.element } }

  /// The elements in the order in which they were appended.
  var elements: some Sequence<Element> {
    sequence(state: firstID) { [nodes] id in
      guard let node = id.flatMap({ nodes[$0] }) else { return nil }
      id = node.next
      return node.element
    }
  }

  /// The elements with their numbers, in the order in which they were appended.
  var numbered: some Sequence<(id: Int, element: Element)> {
    sequence(state: firstID) { [nodes] id in
      guard let current = id, let node = nodes[current] else { return nil }
      id = node.next
      return (current, node.element)
    }
  }

  /// Appends an element and returns its number, which no other element gets.
  mutating func append(_ element: Element) -> Int {
    let id = nextID
    nextID += 1
    nodes[id] = Node(element: element, previous: lastID)
    if let lastID { nodes[lastID]!.next = id } else { firstID = id }
    lastID = id
    return id
  }

  mutating func removeFirst() {
    if let firstID { _ = remove(firstID) }
  }

  /// Removes an element, or returns `nil` if it is not in the queue any more.
  mutating func remove(_ id: Int) -> Element? {
    guard let node = nodes.removeValue(forKey: id) else { return nil }
    if let previous = node.previous {
      nodes[previous]!.next = node.next
    } else {
      firstID = node.next
    }
    if let next = node.next {
      nodes[next]!.previous = node.previous
    } else {
      lastID = node.previous
    }
    return node.element
  }
}
