#if Configuration
  import Configuration
  import Escapement
  import EscapementTesting
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct ConfigReaderTests {
    @Test func `numbers come from a configuration, whole ones and others`() throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let provider = InMemoryProvider(values: [
        "blocks.shop.percent": 30, "blocks.shop.openDuration": 1.5, "blocks.shop.probes": "many",
      ])
      let config = ConfigReader(provider: provider).scoped(to: "blocks")
      let breaker = try BlockRegistry(config)
        .circuitBreaker("shop", .failureRate(percent: 50, over: .seconds(10)))
      #expect(
        breaker.policy
          == .failureRate(percent: 30, over: .seconds(10), openFor: .milliseconds(1_500)))
    }

    @Test func `blocks follow a configuration that changes`() async throws {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      let provider = MutableInMemoryProvider(initialValues: [:])
      let config = ConfigReader(provider: provider)
      let blocks = BlockRegistry(config)
      let limiter = try blocks.concurrencyLimiter("warehouse", .fixed(8))
      let failures = Log<String>()
      let reloading = Task {
        try await blocks.reload(onChangesOf: config) { failures.append("\($0)") }
      }
      await VirtualTime.current?.settle()
      provider.setValue(3, forKey: "warehouse.limit")
      await VirtualTime.current?.settle()
      #expect(limiter.limit == 3)
      provider.setValue(0, forKey: "warehouse.limit")
      await failures.wait(for: 1)
      #expect(failures.entries == ["'warehouse.limit' is 0, but must be 1 or more."])
      #expect(limiter.limit == 3)
      reloading.cancel()
      _ = await reloading.result
    }
  }
#endif
