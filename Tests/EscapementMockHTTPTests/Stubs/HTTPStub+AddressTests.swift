import EscapementTesting
import Foundation
import TestSupport
import Testing

@testable import EscapementMockHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct HTTPStubAddressTests {
  private let http = MockHTTP(requiresCalls: false)

  init() {
    http.stub(.any, "/users", returns: .text("answered"))
    http.stub(.any, "/*", returns: .text("answered"))
  }

  /// The error with which a session fails to load an address; `nil` if it loads it.
  private func errorCode(_ address: String, _ session: URLSession) async throws -> URLError.Code? {
    let url = try #require(URL(string: address))
    do {
      _ = try await session.data(from: url)
      return nil
    } catch { return (error as? URLError)?.code }
  }

  @Test(arguments: [
    "/users", "//h/users", "foo://h/users", "xusers", "http:///users", "http:users", "mailto:a@b.c",
  ])
  func `an address that no session can load fails with the error of a real session`(
    address: String
  ) async throws {
    let real = try await errorCode(address, URLSession(configuration: .ephemeral))
    var code: URLError.Code?
    let issues = try await issues { code = try await errorCode(address, http.makeSession()) }
    #expect(code != nil)
    #expect(code == real)
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("A session cannot load GET \(address).") == true)
  }

  @Test func `an address of FTP fails as if its host did not exist`() async throws {
    var code: URLError.Code?
    let issues = try await issues {
      code = try await errorCode("ftp://h/users", http.makeSession())
    }
    #expect(code == .cannotFindHost)
    #expect(issues.count == 1)
  }

  @Test func `an answer for requests that no stub matches does not hide the error`() async throws {
    let http = MockHTTP(unmatched: .answer(.text("anything")))
    #expect(try await errorCode("foo://h/users", http.makeSession()) == .unsupportedURL)
    #expect(try await errorCode("https://h/users", http.makeSession()) == nil)
  }

  @Test func `a redirection to such an address fails with the same error`() async throws {
    http.stub(.get, "/old", returns: .redirect(to: "foo://h/users"))
    var code: URLError.Code?
    let issues = try await issues {
      code = try await errorCode("https://h/old", http.makeSession())
    }
    #expect(code == .unsupportedURL)
    #expect(issues.count == 1)
  }

  @Test func `a stub that names the address answers it`() async throws {
    http.stub(.get, "foo://h/users", returns: .failing(URLError(.dataNotAllowed)))
    #expect(try await errorCode("foo://h/users", http.makeSession()) == .dataNotAllowed)
  }
}
