// type 'Hook' does not conform to protocol 'JobCapture'
@testable import EscapementVirtualTime

enum Hook: JobCapture {
  static var virtualizesStandardClocks: Bool { false }
}
