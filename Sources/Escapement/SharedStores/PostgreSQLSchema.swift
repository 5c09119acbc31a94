/// The schema with which PostgreSQL 12 or later decides: three tables and two functions.
///
/// Run ``statements`` in a migration, one after the other. They can be repeated, also by several
/// replicas at once, and replace the functions of an earlier version. The names begin with
/// `escapement_`, in the first schema of the search path. Another role that calls the functions
/// needs the privileges to select, insert, update and delete in the tables.
///
/// The functions need the isolation level *read committed*, which is the default. Call them outside
/// of other transactions, because a key is locked until the transaction ends.
public enum PostgreSQLSchema {
  /// The statements that create the tables and functions.
  public static let statements = (tables + [quotaFunction, leaseFunction]).map { statement in
    // PostgreSQL refuses to create the same thing twice at once, in spite of `IF NOT EXISTS` and
    // `OR REPLACE`.
    """
    DO $escapement$ BEGIN
    PERFORM pg_advisory_xact_lock(1702060897);
    \(statement);
    END $escapement$
    """
  }

  /// The statement that removes the state of quotas that are full, which is the same as none.
  ///
  /// Run it now and then, for example once an hour. A decision about a key that it removes waits
  /// for its end.
  public static let removeIdleQuotas = """
    WITH idle AS (
      DELETE FROM escapement_quotas WHERE key IN (
        SELECT key FROM escapement_quotas
          WHERE idle_at < date_part('epoch', clock_timestamp()) * 1000000 FOR UPDATE SKIP LOCKED)
      RETURNING key)
    DELETE FROM escapement_grants USING idle WHERE escapement_grants.key = idle.key
    """

  // A row that is updated in its page, beside its old version, needs no change of the index. Keys
  // are compared by their bytes, which takes less time than the order of a language.
  private static let tables = [
    """
    CREATE TABLE IF NOT EXISTS escapement_quotas (
      key text COLLATE "C" PRIMARY KEY, settled_at bigint NOT NULL, idle_at bigint NOT NULL,
      parts bigint[] NOT NULL, total bigint, times bigint[], totals bigint[], stored_until bigint
    ) WITH (fillfactor = 50)
    """,
    """
    CREATE TABLE IF NOT EXISTS escapement_grants (
      key text COLLATE "C", last_at bigint, total bigint NOT NULL, times bigint[] NOT NULL,
      totals bigint[] NOT NULL, PRIMARY KEY (key, last_at))
    """,
    """
    CREATE TABLE IF NOT EXISTS escapement_leases (
      key text COLLATE "C" PRIMARY KEY, owner bigint NOT NULL, token bigint NOT NULL,
      held_until bigint NOT NULL, duration bigint NOT NULL, run bigint NOT NULL
    ) WITH (fillfactor = 50)
    """,
  ]

  /// For totals of permits, which are modulo 2^62.
  private static let mask: Int64 = 1 << 62 - 1

  /// Makes the same decisions as ``LuaScripts/quota``, where the variables are explained.
  ///
  /// All windows of a quota share their grants: the time of each, and the total of the permits
  /// before it, modulo 2^62. The latest are in arrays in the row of the quota. When these have 32
  /// grants, they become a row of `escapement_grants`.
  ///
  /// In each transaction, PostgreSQL prepares each expression that it computes. So there are few of
  /// them.
  private static let quotaFunction = """
    CREATE OR REPLACE FUNCTION escapement_take_permits(store_key text, arguments bigint[])
    RETURNS bigint[] LANGUAGE plpgsql
    -- A plan that is made while a table is small, and reads all of it, would be used when it has grown.
    SET enable_seqscan = off
    AS $$
    DECLARE
      permits bigint := arguments[1];
      span bigint := arguments[2];
      ignored text;
      now bigint; last bigint; states bigint[];
      all_permits bigint; times_of_grants bigint[]; totals_of_grants bigint[]; stored_time bigint;
      longest_window bigint;
      wait bigint; remaining bigint; left_over bigint;
      a bigint; b bigint; c bigint; state bigint; gone bigint; granted bigint;
      found_times bigint[]; found_totals bigint[];
    BEGIN
      -- Decisions about a key follow one another. The lock ends after the changes are visible. Locking the
      -- row instead would write to it, also for a denial. An assignment takes less time than a query.
      ignored := pg_advisory_xact_lock(1702060897, hashtext(store_key));
      SELECT settled_at, parts, total, times, totals, stored_until
        INTO last, states, all_permits, times_of_grants, totals_of_grants, stored_time
        FROM escapement_quotas WHERE key = store_key;
      now := date_part('epoch', clock_timestamp()) * 1000000;
      IF last > now AND last - now <= span THEN
        now := last;
      ELSIF last > now THEN
        -- The quota begins empty, so the request will be denied. One grant fills all windows, also the largest
        -- one.
        last := now; stored_time := NULL; times_of_grants := NULL; totals_of_grants := NULL;
        SELECT array_agg(CASE arguments[part * 4 - 1] WHEN 0 THEN arguments[part * 4]
            WHEN 1 THEN -arguments[part * 4 + 1] ELSE 0 END ORDER BY part),
          max(arguments[part * 4]) FILTER (WHERE arguments[part * 4 - 1] = 2)
          INTO states, all_permits FROM generate_series(1, cardinality(arguments) / 4) AS part;
        IF all_permits IS NOT NULL THEN
          times_of_grants := ARRAY[now]; totals_of_grants := ARRAY[0];
        END IF;
        UPDATE escapement_quotas SET settled_at = now, idle_at = now + span, parts = states,
          total = all_permits, times = times_of_grants, totals = totals_of_grants,
          stored_until = NULL WHERE key = store_key;
        DELETE FROM escapement_grants WHERE key = store_key;
      END IF;

      FOR part IN 1 .. cardinality(arguments) / 4 LOOP
        a := arguments[part * 4]; b := arguments[part * 4 + 1]; c := arguments[part * 4 + 2];
        IF arguments[part * 4 - 1] = 0 THEN
          state := permits * b + CASE WHEN now - last < (states[part] + c - 1) / c
            THEN states[part] - (now - last) * c ELSE 0 END;
          remaining := least(remaining, (a - state) / b);
          IF state > a THEN wait := greatest(wait, (state - a + c - 1) / c); END IF;
        ELSIF arguments[part * 4 - 1] = 1 THEN
          left_over := CASE WHEN now / c - last / c < (a - states[part] + b - 1) / b
            THEN states[part] + (now / c - last / c) * b ELSE a END - permits;
          state := left_over;
          remaining := least(remaining, left_over);
          IF left_over < 0 THEN
            wait := greatest(wait, (now / c + (b - 1 - left_over) / b) * c - now);
          END IF;
        ELSE
          -- The permits that have left the window: the total before the first grant in it.
          IF stored_time > now - b THEN
            SELECT totals[width_bucket(now - b, times) + 1] INTO gone FROM escapement_grants
              WHERE key = store_key AND last_at > now - b ORDER BY last_at LIMIT 1;
          ELSE
            gone := coalesce(
              totals_of_grants[width_bucket(now - b, times_of_grants) + 1], all_permits, 0);
          END IF;
          left_over := a - permits - ((coalesce(all_permits, 0) - gone) & \(mask));
          IF left_over < 0 THEN
            found_times := NULL;
            IF stored_time > now - b THEN
              SELECT times, totals INTO found_times, found_totals FROM escapement_grants
                WHERE key = store_key AND last_at > now - b AND ((total - gone) & \(mask)) >= -left_over
                ORDER BY last_at LIMIT 1;
            END IF;
            IF found_times IS NULL THEN
              found_times := times_of_grants; found_totals := totals_of_grants;
            END IF;
            SELECT max(past.at) INTO granted FROM unnest(found_times, found_totals) AS past(at, total)
              WHERE past.at > now - b AND ((past.total - gone) & \(mask)) < -left_over;
            wait := greatest(wait, granted + b - now);
          END IF;
          longest_window := greatest(longest_window, b);
          state := 0;
          remaining := least(remaining, left_over);
        END IF;
        states[part] := state;
      END LOOP;

      -- A denial changes nothing.
      IF wait > 0 THEN RETURN ARRAY[0, wait]; END IF;
      IF longest_window IS NOT NULL THEN
        all_permits := coalesce(all_permits, 0);
        IF cardinality(times_of_grants) = 32 AND times_of_grants[32] < now THEN
          -- The row of the quota first, as `removeIdleQuotas` does. Otherwise the two could wait for each other.
          PERFORM FROM escapement_quotas WHERE key = store_key FOR UPDATE;
          -- A few, so that no decision takes long.
          DELETE FROM escapement_grants WHERE key = store_key AND last_at IN (
            SELECT last_at FROM escapement_grants
              WHERE key = store_key AND last_at <= now - longest_window ORDER BY last_at LIMIT 4);
          stored_time := times_of_grants[32];
          INSERT INTO escapement_grants
            VALUES (store_key, stored_time, all_permits, times_of_grants, totals_of_grants);
          times_of_grants := NULL; totals_of_grants := NULL;
        END IF;
        -- Grants at the same time are one.
        IF (times_of_grants[cardinality(times_of_grants)] = now) IS NOT TRUE THEN
          times_of_grants := times_of_grants || now;
          totals_of_grants := totals_of_grants || all_permits;
        END IF;
        all_permits := (all_permits + permits) & \(mask);
      END IF;
      UPDATE escapement_quotas SET settled_at = now, idle_at = now + span, parts = states,
        total = all_permits, times = times_of_grants, totals = totals_of_grants,
        stored_until = stored_time WHERE key = store_key;
      IF NOT FOUND THEN
        INSERT INTO escapement_quotas VALUES (store_key, now, now + span, states, all_permits,
          times_of_grants, totals_of_grants, stored_time);
      END IF;
      RETURN ARRAY[1, remaining];
    END $$
    """

  /// Makes the same decisions as ``LuaScripts/lease``.
  private static let leaseFunction = """
    CREATE OR REPLACE FUNCTION escapement_change_lease(store_key text, arguments bigint[])
    RETURNS bigint[] LANGUAGE plpgsql SET enable_seqscan = off AS $$
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
      now := date_part('epoch', clock_timestamp()) * 1000000;
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
        -- Larger than all before, also if the database has lost the last ones.
        lease.token := greatest(lease.token + 1, now);
        UPDATE escapement_leases SET owner = new_owner, token = lease.token,
          held_until = now + new_duration, duration = new_duration,
          run = CASE action WHEN 1 THEN new_run ELSE lease.run END WHERE key = store_key;
        RETURN ARRAY[1, lease.token, new_duration];
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
