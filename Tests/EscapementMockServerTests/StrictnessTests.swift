#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @Suite struct StrictnessTests {
    @Test func `a request that no stub answers fails the test and names the closest stub`()
      async throws
    {
      let line = #line + 2
      let issues = try await issues {
        try await withMockServer { server in
          server.stub(.get, "/users/:id", returns: .text("Ann")).optional()
          let loaded = try await load("/user/7", from: server)
          #expect(loaded.status == 501)
          #expect(loaded.text.contains("No stub answers GET \(server.url)/user/7."))
          #expect(loaded.text.contains("The closest is GET /users/:id"))
        }
      }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains("The path is '/user/7', not '/users/:id'.") == true)
      #expect(issues.first?.line == line)
    }

    @Test func `a server may have an answer for requests that no stub matches`() async throws {
      try await withMockServer(unmatched: .answer(.status(404))) { server in
        let loaded = try await load("/", from: server)
        #expect(loaded.status == 404)
      }
    }

    @Test func `a stub that was never called fails the test at its line`() async throws {
      let line = #line + 3
      let issues = try await issues {
        _ = try await withMockServer { server in
          server.stub(.get, "/", returns: .text(""))
        }
      }
      #expect(issues.map(\.line) == [line])
      #expect(issues.first?.message.contains("The stub GET / was never called.") == true)
    }

    @Test func `a stub that was never called passes if calls are not required`() async throws {
      _ = try await withMockServer(requiresCalls: false) { server in
        server.stub(.get, "/", returns: .text(""))
      }
    }

    @Test func `stubs are not verified if the body throws`() async throws {
      struct Failure: Error {}
      await #expect(throws: Failure.self) {
        try await withMockServer { server in
          server.stub(.get, "/", returns: .text(""))
          throw Failure()
        }
      }
    }

    @Test func `a stub that is added after the stop fails the test`() async throws {
      let server = try await MockServer.start()
      await server.stop()
      let line = #line + 1
      let issues = issues { server.stub(.get, "/", returns: .text("")) }
      #expect(issues.map(\.line) == [line])
      #expect(issues.first?.message.contains("The stub GET / was added too late.") == true)
      #expect(issues.first?.message.contains("\(server.url) has been stopped") == true)
    }

    @Test func `an error that a handler throws fails the request and the test`() async throws {
      struct Failure: Error {}
      let issues = try await issues {
        try await withMockServer { server in
          server.stub(.get, "/") { _ in throw Failure() }
          let loaded = try await load("/", from: server)
          #expect(loaded.status == 500)
        }
      }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains("threw an error: Failure()") == true)
    }

    @Test(arguments: [
      (HTTPStub.Response.status(100), "The status 100 is an interim response"),
      (.text("").header("X-Name", "a\r\nSet-Cookie: b"), "'X-Name' has a line break"),
      (.text("").header("X Name", "a"), #""X Name" is not a valid name of a header field"#),
      (.text("").truncated(after: -1), "must not be negative (got -1)"),
      (.text("").delayed(by: .seconds(-1)), "A delay must not be negative (got -1.0 seconds)"),
      (.passthrough, "a mock server does not forward requests"),
      (.failing(URLError(.cannotFindHost)), "an error that a server cannot cause"),
    ])
    func `an invalid response fails the request and the test`(
      response: HTTPStub.Response, reason: String
    ) async throws {
      let issues = try await issues {
        try await withMockServer { server in
          server.stub(.get, "/", returns: response)
          let loaded = try await load("/", from: server)
          #expect(loaded.status == 501)
        }
      }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains(reason) == true, "\(issues)")
    }
  }
#endif
