import EscapementDoubles
import Foundation
import TestSupport
import Testing

private struct Park: PlaceholderProviding, Equatable {
  static let placeholder = Park()
}

@Suite struct PlaceholderProvidingTests {
  @Test func `an unstubbed function that cannot throw fails the test and returns a placeholder`() {
    #expect(answer(of: Int.self) == 0)
    #expect(answer(of: UInt8.self) == 0)
    #expect(answer(of: Double.self) == 0)
    #expect(answer(of: Decimal.self) == 0)
    #expect(answer(of: Duration.self) == .zero)
    #expect(answer(of: Bool.self) == false)
    #expect(answer(of: String.self) == "")
    #expect(answer(of: Data.self) == Data())
    #expect(answer(of: Int?.self) == .some(nil))
    #expect(answer(of: [Park].self) == [])
    #expect(answer(of: [String: Int].self) == [:])
    #expect(answer(of: Set<Int>.self) == [])
    #expect(answer(of: URL.self) == URL(string: "placeholder:"))
    #expect(answer(of: Date.self) == Date(timeIntervalSince1970: 0))
    #expect(answer(of: UUID.self) == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    #expect(answer(of: Park.self) == Park())
  }

  private func answer<Output: PlaceholderProviding & Sendable>(of _: Output.Type) -> Output? {
    var output: Output?
    let issues = issues { output = Spy<Void, Output, Never>("f()")() }
    #expect(issues.map { $0.message.hasPrefix("'f()' was called, but has no") } == [true])
    return output
  }
}
