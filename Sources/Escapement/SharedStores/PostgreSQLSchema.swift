/// What PostgreSQL 12 or later needs to decide: three tables and two functions.
///
/// Run ``statements`` in a migration, one after the other. They can be repeated, and replace the functions of
/// an earlier version. The names begin with `escapement_`, in the first schema of the search path.
///
/// The functions need the isolation level *read committed*, which is the default. Call them outside of other
/// transactions, because a key is locked until the transaction ends.
public enum PostgreSQLSchema {
  /// The statements that create the tables and functions.
  public static let statements = tables + [quotaFunction, leaseFunction]

  /// The statement that removes the state of quotas that are full, which is the same as none.
  ///
  /// Run it now and then, for example once an hour.
  public static let removeIdleQuotas = """
    WITH idle AS (
      DELETE FROM escapement_quotas
      WHERE idle_at < extract(epoch FROM clock_timestamp()) * 1000000 RETURNING key)
    DELETE FROM escapement_grants USING idle WHERE escapement_grants.key = idle.key
    """

  // A row that is updated in its page, beside its old version, needs no change of the index.
  private static let tables = [
    """
    CREATE TABLE IF NOT EXISTS escapement_quotas (
      key text PRIMARY KEY, settled_at bigint NOT NULL, idle_at bigint NOT NULL, parts bigint[] NOT NULL
    ) WITH (fillfactor = 50)
    """,
    """
    CREATE TABLE IF NOT EXISTS escapement_grants (
      key text, part_number int, granted_at bigint, total bigint,
      PRIMARY KEY (key, part_number, granted_at, total))
    """,
    """
    CREATE TABLE IF NOT EXISTS escapement_leases (
      key text PRIMARY KEY, owner bigint NOT NULL, token bigint NOT NULL, held_until bigint NOT NULL,
      duration bigint NOT NULL, run bigint NOT NULL
    ) WITH (fillfactor = 50)
    """,
  ]

  /// Makes the same decisions as ``LuaScripts/quota``, where the variables are explained.
  private static let quotaFunction = """
    CREATE OR REPLACE FUNCTION escapement_take_permits(store_key text, arguments bigint[])
    RETURNS bigint[] LANGUAGE plpgsql AS $$
    DECLARE
      permits bigint := arguments[1];
      span bigint := arguments[2];
      part_count int := (cardinality(arguments) - 2) / 4;
      now bigint; last bigint; stored bigint[];
      is_set_back boolean;
      wait bigint := 0; remaining bigint; left_over bigint;
      before bigint[] := '{}'; after bigint[] := '{}';
      a bigint; b bigint; c bigint; state bigint; elapsed bigint; granted bigint;
      sum bigint; sums bigint[] := '{}';
    BEGIN
      -- Decisions about a key follow one another. The lock ends after the changes are visible. Locking the
      -- row instead would write to it, also for a denial.
      PERFORM pg_advisory_xact_lock(1702060897, hashtext(store_key));
      SELECT settled_at, parts INTO last, stored FROM escapement_quotas WHERE key = store_key;
      now := extract(epoch FROM clock_timestamp()) * 1000000;
      last := coalesce(last, 0);
      is_set_back := last - now > span;
      IF is_set_back THEN
        DELETE FROM escapement_grants WHERE key = store_key;
        last := now;
      END IF;
      now := greatest(now, last);

      FOR part IN 1 .. part_count LOOP
        a := arguments[part * 4]; b := arguments[part * 4 + 1]; c := arguments[part * 4 + 2];
        state := stored[part];
        left_over := NULL;
        IF arguments[part * 4 - 1] = 0 THEN
          state := CASE WHEN is_set_back THEN a ELSE coalesce(state, 0) END;
          elapsed := now - last;
          state := CASE WHEN elapsed >= (state + c - 1) / c THEN 0 ELSE state - elapsed * c END;
          before := before || state;
          state := state + permits * b;
          after := after || state;
          IF state > a THEN wait := greatest(wait, (state - a + c - 1) / c);
          ELSE left_over := (a - state) / b; END IF;
        ELSIF arguments[part * 4 - 1] = 1 THEN
          state := CASE WHEN is_set_back THEN -b ELSE coalesce(state, a) END;
          elapsed := now / c - last / c;
          state := CASE WHEN elapsed >= (a - state + b - 1) / b THEN a ELSE state + elapsed * b END;
          before := before || state;
          left_over := state - permits;
          after := after || left_over;
          IF left_over < 0 THEN
            wait := greatest(wait, (now / c + (b - 1 - left_over) / b) * c - now);
          END IF;
        ELSE
          IF is_set_back THEN
            INSERT INTO escapement_grants VALUES (store_key, part, now, a);
            state := 0;
          END IF;
          state := coalesce(
            (SELECT total FROM escapement_grants
              WHERE key = store_key AND part_number = part AND granted_at <= now - b
              ORDER BY granted_at DESC, total DESC LIMIT 1), state, 0);
          sum := coalesce(
            (SELECT total FROM escapement_grants WHERE key = store_key AND part_number = part
              ORDER BY granted_at DESC, total DESC LIMIT 1), state);
          before := before || state;
          after := after || state;
          sums[part] := sum + permits;
          left_over := a - (sum - state) - permits;
          IF left_over < 0 THEN
            SELECT granted_at INTO granted FROM escapement_grants
              WHERE key = store_key AND part_number = part AND granted_at > now - b
                AND total >= state - left_over
              ORDER BY granted_at, total LIMIT 1;
            wait := greatest(wait, granted + b - now);
          END IF;
        END IF;
        remaining := least(remaining, left_over);
      END LOOP;

      IF wait = 0 THEN
        FOR part IN 1 .. coalesce(cardinality(sums), 0) LOOP
          CONTINUE WHEN sums[part] IS NULL;
          -- In batches, because each passes over the rows that were deleted before.
          IF sums[part] / 100 > (sums[part] - permits) / 100 THEN
            DELETE FROM escapement_grants WHERE key = store_key AND part_number = part
              AND granted_at <= now - arguments[part * 4 + 1];
          END IF;
          INSERT INTO escapement_grants VALUES (store_key, part, now, sums[part]);
        END LOOP;
        INSERT INTO escapement_quotas VALUES (store_key, now, now + span, after)
          ON CONFLICT (key) DO UPDATE SET settled_at = excluded.settled_at,
            idle_at = excluded.idle_at, parts = excluded.parts;
        RETURN ARRAY[1, remaining];
      END IF;
      -- A denial changes nothing.
      IF is_set_back THEN
        INSERT INTO escapement_quotas VALUES (store_key, now, now + span, before)
          ON CONFLICT (key) DO UPDATE SET settled_at = excluded.settled_at,
            idle_at = excluded.idle_at, parts = excluded.parts;
      END IF;
      RETURN ARRAY[0, wait];
    END $$
    """

  /// Makes the same decisions as ``LuaScripts/lease``.
  private static let leaseFunction = """
    CREATE OR REPLACE FUNCTION escapement_change_lease(store_key text, arguments bigint[])
    RETURNS bigint[] LANGUAGE plpgsql AS $$
    DECLARE
      action bigint := arguments[1];
      new_owner bigint := arguments[2];
      new_duration bigint := arguments[3];
      new_run bigint := arguments[4];
      lease escapement_leases%ROWTYPE;
      now bigint;
    BEGIN
      LOOP
        SELECT * INTO lease FROM escapement_leases WHERE key = store_key FOR UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO escapement_leases VALUES (store_key, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
      END LOOP;
      now := extract(epoch FROM clock_timestamp()) * 1000000;
      IF lease.held_until > now + lease.duration THEN
        lease.held_until := now + lease.duration;
        UPDATE escapement_leases SET held_until = lease.held_until WHERE key = store_key;
      END IF;

      IF action IN (0, 1) THEN
        -- The owner may have noted it itself, and not have got the reply.
        IF new_run > 0 AND new_run <= lease.run AND lease.owner <> new_owner THEN
          RETURN ARRAY[2, lease.token, 0];
        END IF;
        IF lease.held_until > now AND lease.owner <> new_owner THEN
          RETURN ARRAY[0, lease.token, lease.held_until - now];
        END IF;
        UPDATE escapement_leases SET owner = new_owner, token = lease.token + 1,
          held_until = now + new_duration, duration = new_duration,
          run = CASE action WHEN 1 THEN new_run ELSE lease.run END WHERE key = store_key;
        RETURN ARRAY[1, lease.token + 1, new_duration];
      END IF;
      IF lease.owner <> new_owner THEN
        RETURN ARRAY[0, lease.token, greatest(0, lease.held_until - now)];
      END IF;
      IF action = 2 THEN
        UPDATE escapement_leases SET held_until = now + new_duration, duration = new_duration
          WHERE key = store_key;
        RETURN ARRAY[1, lease.token, new_duration];
      END IF;
      UPDATE escapement_leases SET owner = 0, held_until = 0, run = greatest(run, new_run)
        WHERE key = store_key;
      RETURN ARRAY[1, lease.token, 0];
    END $$
    """
}
