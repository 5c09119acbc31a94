import EscapementGRPC
import EscapementTesting
import GRPCCore
import Testing

/// Opens after two failures in a row, for 30 seconds.
private func breaker(
  for scope: CircuitBreakerInterceptor.Scope = .service
) throws -> CircuitBreakerInterceptor {
  try CircuitBreakerInterceptor(.failures(2, ofLast: 2), for: scope)
}

@Suite(.virtualTime) struct CircuitBreakerInterceptorTests {
  @Test func `a service that keeps failing is left alone`() async throws {
    let time = try VirtualTime.required
    let calls = Log<Duration>()
    let interceptor = try breaker()
    try await withCourier(interceptors: [interceptor]) { parcel in
      calls.append(time.now.offset)
      if time.now.offset < .seconds(10) { throw RPCError(code: .unavailable, message: "rain") }
      return parcel
    } _: { client in
      for _ in 1...2 {
        let error = await #expect(throws: RPCError.self) { try await client.deliver("tea") }
        #expect(error?.message == "rain")
      }
      let error = await #expect(throws: RPCError.self) { try await client.deliver("tea") }
      #expect(error?.code == .unavailable)
      #expect((error?.cause as? CircuitOpenError)?.retryAfter == .seconds(30))
      #expect(interceptor.breaker(for: Courier.deliver).state == .open)
      try await Task.sleep(for: .seconds(30))
      #expect(try await client.deliver("tea") == "tea")
      #expect(interceptor.breaker(for: Courier.deliver).state == .closed)
      #expect(calls.entries == [.zero, .zero, .seconds(30)])
    }
  }

  @Test func `gRPC does not try a refused call again`() async throws {
    let calls = Log<String>()
    try await withCourier(interceptors: [try breaker()]) { parcel in
      calls.append(parcel)
      throw RPCError(code: .unavailable, message: "rain")
    } _: { client in
      var options = CallOptions.defaults
      options.executionPolicy = .retry(
        RetryPolicy(
          maxAttempts: 5, initialBackoff: .seconds(1), maxBackoff: .seconds(1),
          backoffMultiplier: 1, retryableStatusCodes: [.unavailable]))
      let error = await #expect(throws: RPCError.self) {
        try await client.deliver("tea", options: options)
      }
      #expect(error?.cause is CircuitOpenError)
      #expect(calls.count == 2)
    }
  }

  @Test func `answers that do not tell of the service count as success`() async throws {
    let interceptor = try breaker()
    try await withCourier(interceptors: [interceptor]) { _ in
      throw RPCError(code: .notFound, message: "no such house")
    } _: { client in
      for _ in 1...5 {
        let error = await #expect(throws: RPCError.self) { try await client.deliver("tea") }
        #expect(error?.code == .notFound)
      }
      #expect(interceptor.breaker(for: Courier.deliver).state == .closed)
    }
  }

  @Test func `a call that exceeds its timeout counts as failed, a cancelled one does not`()
    async throws
  {
    let time = try VirtualTime.required
    let interceptor = try breaker()
    try await withCourier(interceptors: [interceptor]) { parcel in
      try await Task.sleep(for: .seconds(60))
      return parcel
    } _: { client in
      for _ in 1...3 {
        let call = Task { try await client.deliver("tea") }
        try await Task.sleep(for: .seconds(1))
        call.cancel()
        _ = await call.result
      }
      #expect(interceptor.breaker(for: Courier.deliver).state == .closed)
      var options = CallOptions.defaults
      options.timeout = .seconds(5)
      for _ in 1...2 {
        let error = await #expect(throws: RPCError.self) {
          try await client.deliver("tea", options: options)
        }
        #expect(error?.code == .deadlineExceeded)
      }
      #expect(time.now.offset == .seconds(13))
      #expect(interceptor.breaker(for: Courier.deliver).state == .open)
    }
  }

  @Test func `a stream counts at its end`() async throws {
    let interceptor = try breaker()
    try await withCourier(interceptors: [interceptor]) { _ in
      throw RPCError(code: .dataLoss, message: "lost")
    } _: { client in
      // One that is read halfway does not count.
      for _ in 1...5 {
        let corners = try await client.track("tea", corners: 1)
        #expect(corners == 1)
      }
      #expect(interceptor.breaker(for: Courier.track).state == .closed)
      for _ in 1...2 {
        await #expect(throws: RPCError.self) { try await client.track("tea") }
      }
      #expect(interceptor.breaker(for: Courier.track).state == .open)
    }
  }

  @Test func `a probe that is read halfway gives its place back`() async throws {
    let interceptor = try breaker()
    let isBroken = Log<Void>()
    try await withCourier(interceptors: [interceptor]) { parcel in
      if isBroken.count == 0 { throw RPCError(code: .internalError, message: "rain") }
      return parcel
    } _: { client in
      for _ in 1...2 { await #expect(throws: RPCError.self) { try await client.deliver("tea") } }
      isBroken.append(())
      try await Task.sleep(for: .seconds(30))
      #expect(try await client.track("tea", corners: 1) == 1)
      #expect(interceptor.breaker(for: Courier.track).state == .halfOpen)
      #expect(try await client.track("tea") == 3)
      #expect(interceptor.breaker(for: Courier.track).state == .closed)
    }
  }

  @Test(arguments: [CircuitBreakerInterceptor.Scope.client, .service, .method])
  func `the scope says which calls share a breaker`(
    scope: CircuitBreakerInterceptor.Scope
  ) throws {
    let interceptor = try breaker(for: scope)
    interceptor.breaker(for: Courier.deliver).isolate()
    func isOpen(_ service: String, _ method: String) -> Bool {
      let method = MethodDescriptor(fullyQualifiedService: service, method: method)
      return interceptor.breaker(for: method).state == .isolated
    }
    #expect(isOpen("Courier", "Deliver"))
    #expect(isOpen("Courier", "Track") == (scope != .method))
    #expect(isOpen("Weather", "Deliver") == (scope == .client))
  }

  @Test(
    arguments: [
      (.client, "client"), (.service, "Courier"), (.method, "Courier/Deliver"),
    ] as [(CircuitBreakerInterceptor.Scope, String)])
  func `an event has the name of the calls that share a breaker`(
    scope: CircuitBreakerInterceptor.Scope, name: String
  ) throws {
    let names = Log<String>()
    let interceptor = try CircuitBreakerInterceptor(.failures(2, ofLast: 2), for: scope) {
      name, _ in names.append(name)
    }
    interceptor.breaker(for: Courier.deliver).isolate()
    #expect(names.entries == [name])
  }

  @Test(.virtualTime(.crowd)) func `all calls of a crowd have their answers`() async throws {
    let interceptor = try CircuitBreakerInterceptor(
      .failureRate(percent: 90, over: .seconds(10)))
    try await withCourier(interceptors: [interceptor]) { parcel in
      if parcel.hasSuffix("7") { throw RPCError(code: .unavailable, message: parcel) }
      return parcel
    } _: { client in
      let wrong = await withTaskGroup(of: Bool.self) { calls in
        for number in 0..<crowd {
          calls.addTask {
            do {
              return try await client.deliver("\(number)") != "\(number)" || number % 10 == 7
            } catch {
              return (error as? RPCError)?.message != "\(number)" || number % 10 != 7
            }
          }
        }
        return await calls.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(wrong == 0)
    }
  }
}

@Suite struct InterceptorRefusalTests {
  @Test func `a policy that is not valid is refused`() {
    let error = #expect(throws: InvalidArgumentError.self) {
      try CircuitBreakerInterceptor(.failures(0, ofLast: 1))
    }
    #expect(error?.argument == "failures")
  }
}
