import Escapement
import StoreClients
import Testing

extension IntegrationTests {
  /// The statements that users run beside the decisions: the migration and the removal of idle quotas.
  @Suite struct SchemaTests {
    private let schema = "schema_\(UInt32.random(in: 0 ... .max))"

    private func store() -> PooledStore<PostgreSQLConnection> {
      PooledStore(port: Servers.port(of: .postgresql), connections: 1)
    }

    /// Creates an empty schema, and returns connections that use it.
    private func connect(_ count: Int) async throws -> [PooledStore<PostgreSQLConnection>] {
      let schema = schema
      try PostgreSQLConnection(port: Servers.port(of: .postgresql))
        .execute("CREATE SCHEMA \(schema)")
      let stores = (0..<count).map { _ in store() }
      for store in stores {
        try await store.withConnection { try $0.execute("SET search_path TO \(schema)") }
      }
      return stores
    }

    @Test func `replicas may run the statements at the same time, and again`() async throws {
      let stores = try await connect(8)
      for _ in 0..<2 {
        try await withThrowingTaskGroup { group in
          for store in stores {
            group.addTask {
              try await store.withConnection {
                for statement in PostgreSQLSchema.statements { try $0.execute(statement) }
              }
            }
          }
          try await group.waitForAll()
        }
      }
      let schema = schema
      let names = try await stores[0].withConnection {
        try $0.query("SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", [schema])
      }
      #expect(names == [["escapement_grants"], ["escapement_leases"], ["escapement_quotas"]])
    }

    @Test func `a decision and the removal of idle quotas do not wait for each other`()
      async throws
    {
      let stores = try await connect(2)
      try await stores[0].withConnection { connection in
        for statement in PostgreSQLSchema.statements { try connection.execute(statement) }
        // A decision stops before it writes its quota, if the test says so.
        try connection.execute(
          """
          CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF current_setting('test.slow', true) = '1' THEN PERFORM pg_sleep(0.5); END IF;
            RETURN NULL;
          END $$
          """)
        try connection.execute(
          """
          CREATE TRIGGER slow BEFORE UPDATE ON escapement_quotas
          FOR EACH STATEMENT EXECUTE FUNCTION slow()
          """)
      }
      let take = "SELECT escapement_take_permits('key', '{1, 1000, 2, 1000, 1000, 0}')"
      // The next decision moves the latest grants into a row, and removes rows that are old.
      try await stores[0].withConnection { connection in
        let isReady = """
          SELECT cardinality(times) = 32 AND stored_until IS NOT NULL FROM escapement_quotas
          """
        repeat { try connection.query(take, []) } while try connection.query(isReady, []) != [["t"]]
        try connection.execute("SET test.slow = 1")
      }
      try await Task.sleep(for: .milliseconds(10))
      async let decision = stores[0].withConnection { try $0.query(take, []) }
      try await Task.sleep(for: .milliseconds(200))
      try await stores[1].withConnection { try $0.execute(PostgreSQLSchema.removeIdleQuotas) }
      #expect(try await decision == [["{1,999}"]])
    }
  }
}
