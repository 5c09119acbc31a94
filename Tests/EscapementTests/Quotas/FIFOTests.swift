import TestSupport
import Testing

@testable import Escapement

@Suite struct FIFOTests {
  @Test func `random appends and removals have the results of an array`() {
    forAllSeeds { generator in
      var queue = FIFO<Int>()
      var model: [(id: Int, element: Int)] = []
      for element in 0..<40 {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0..<2:
          model.append((queue.append(element), element))
        case 2:
          queue.removeFirst()
          if !model.isEmpty { model.removeFirst() }
        default:
          let id = Int.random(in: 0...element, using: &generator)
          let index = model.firstIndex { $0.id == id }
          try require(queue.remove(id) == index.map { model[$0].element }, "remove \(id)")
          if let index { model.remove(at: index) }
        }
        try require(queue.isEmpty == model.isEmpty, "isEmpty")
        try require(queue.first == model.first?.element, "first")
        try require(Array(queue.elements) == model.map(\.element), "elements")
      }
    }
  }
}
