import Foundation

/// A pipe, whose ends are read and written with functions that are not overridden.
package final class ByteQueue: Sendable {
  private let ends: (reading: Int32, writing: Int32)

  package init() {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.reading)
    close(ends.writing)
  }

  package func add(_ byte: UInt8) {
    var byte = byte
    precondition(write(ends.writing, &byte, 1) == 1)
  }

  /// Blocks the thread until there is a byte.
  package func next() -> UInt8 {
    var byte: UInt8 = 0
    precondition(read(ends.reading, &byte, 1) == 1)
    return byte
  }
}
