/// The scripts for Redis 5 and later, and for Valkey.
///
/// Lua has floating-point numbers. All numbers of the scripts are integers of at most 53 bits,
/// which they represent exactly.
public enum LuaScripts {
  /// Takes permits of a quota.
  ///
  /// The script makes the same decisions as ``QuotaLimiter``, in microseconds. It stores one hash,
  /// which expires when the quota is full again. If the clock is set back, for example because a
  /// replica with another clock takes over, time stands still until it has caught up. If that would
  /// take longer than the quota needs to fill, the quota begins empty instead.
  public static let quota = #"""
    -- KEYS[1]: the name of the state.
    -- ARGV: the permits, the microseconds in which the empty quota fills, and for each of its parts four numbers.
    -- Returns {1, remaining permits}, or {0, microseconds until enough permits are available}.
    local call, fmod, max, format = redis.call, math.fmod, math.max, string.format
    local key, permits, span = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
    local count = (#ARGV - 2) / 4
    local time = call('TIME')
    local now = time[1] * 1000000 + time[2]

    -- math.floor(a / b) is wrong where the quotient is not exact.
    local function floor(a, b) return (a - fmod(a, b)) / b end
    local function ceil(a, b) return floor(a + b - 1, b) end

    local fields = {'t', 1}
    for part = 2, count do fields[part + 1] = part end
    local stored = call('HMGET', key, unpack(fields))
    local last = tonumber(stored[1]) or now
    local isSetBack = last - now > span
    if isSetBack then
      call('UNLINK', key)
      last = now
    end
    now = max(now, last)

    local wait, remaining = 0, math.huge
    -- The fields to write: a quota that begins empty, which grants nothing, or what is left after the grant.
    local changes, expired = {'t', now}, {}
    for part = 1, count do
      local first = part * 4 - 1
      local kind, a, b = ARGV[first], tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
      local c = tonumber(ARGV[first + 3])
      local state, left = stored[part + 1], nil
      if kind == '0' then
        -- Smooth: a units fill the bucket, b are a permit, c come back in a microsecond. The state: the units
        -- that are missing.
        local missing, elapsed = isSetBack and a or tonumber(state) or 0, now - last
        missing = elapsed >= ceil(missing, c) and 0 or missing - elapsed * c
        local taken = missing + permits * b
        if taken > a then wait = max(wait, ceil(taken - a, c)) else left = floor(a - taken, b) end
        state = isSetBack and missing or taken
      elseif kind == '1' then
        -- In intervals: up to a permits, b come back at each multiple of c microseconds. The state: the permits
        -- that are left.
        local tokens, interval = isSetBack and -b or tonumber(state) or a, floor(now, c)
        local refills = interval - floor(last, c)
        tokens = refills >= ceil(a - tokens, b) and a or tokens + refills * b
        left = tokens - permits
        if left < 0 then wait = max(wait, (interval + ceil(-left, b)) * c - now) end
        state = isSetBack and tokens or left
      else
        -- A window: a permits in b microseconds. The grants are fields: 'part:number' has the time of a grant,
        -- and the sum of all permits before it. Sums are modulo 2^52. The state: the numbers of the first grant
        -- that is stored, of the first one in the window, and of the next one; the time of the first one in the
        -- window, the sum before it, the sum of all permits.
        local function minus(sum, other) return (sum - other) % 4503599627370496 end
        local function field(number) return format('%d:%.0f', part, number) end
        local function grant(number)
          local time, sum = string.match(call('HGET', key, field(number)), '(%d+) (%d+)')
          return tonumber(time), tonumber(sum)
        end
        local oldest, head, tail, start, gone, sum = 1, 1, 1, 0, 0, 0
        if isSetBack then
          tail, start, sum = 2, now, a
          call('HSET', key, field(1), format('%.0f 0', now))
        elseif state then
          oldest, head, tail, start, gone, sum =
            string.match(state, '(%d+) (%d+) (%d+) (%d+) (%d+) (%d+)')
          oldest, head, tail = tonumber(oldest), tonumber(head), tonumber(tail)
          start, gone, sum = tonumber(start), tonumber(gone), tonumber(sum)
        end
        -- The next grant is the usual answer. If it has left the window too, the step doubles.
        local step = 1
        while head < tail and start <= now - b do
          if head + 1 == tail then
            head, gone = tail, sum
          else
            step = math.min(step, tail - 1 - head)
            local time, before = grant(head + step)
            if time <= now - b or step == 1 then
              head, start, gone, step = head + step, time, before, step * 2
            else
              step = math.floor(step / 2)
            end
          end
        end
        left = a - minus(sum, gone) - permits
        if left < 0 then
          -- The last grant before which not enough permits had come back: with its end, enough have.
          local low, high, time = head, tail - 1, start
          while low < high do
            local middle = math.ceil((low + high) / 2)
            local at, before = grant(middle)
            if minus(before, gone) < -left then low, time = middle, at else high = middle - 1 end
          end
          wait = max(wait, time + b - now)
        end
        if not isSetBack then
          -- A few, so that no decision takes long.
          for number = oldest, math.min(head, oldest + 4) - 1 do
            expired[#expired + 1] = field(number)
            oldest = number + 1
          end
          changes[#changes + 1] = field(tail)
          changes[#changes + 1] = format('%.0f %.0f', now, sum)
          if head == tail then start = now end
          sum, tail = minus(sum + permits, 0), tail + 1
        end
        state = format('%.0f %.0f %.0f %.0f %.0f %.0f', oldest, head, tail, start, gone, sum)
      end
      changes[#changes + 1] = part
      changes[#changes + 1] = state
      if left and left < remaining then remaining = left end
    end

    -- A denial changes nothing.
    local isGranted = wait == 0
    if isGranted or isSetBack then
      call('HSET', key, unpack(changes))
      if isGranted and #expired > 0 then call('HDEL', key, unpack(expired)) end
      call('PEXPIREAT', key, ceil(now + span, 1000) + 1)
    end
    return {isGranted and 1 or 0, isGranted and remaining or wait}
    """#

  /// The SHA-1 digest of ``quota``.
  public static let quotaDigest = "917c6868272dc5d8513182a3494407da25c7d95e"

  /// Acquires, renews and releases a lease.
  ///
  /// The script stores one hash, which does not expire, because it contains the last fencing token.
  /// If the clock is set back, the lease ends at the latest after its duration.
  public static let lease = #"""
    -- KEYS[1]: the name of the lease.
    -- ARGV: what to do, the number of the owner, the duration in microseconds, the instant of a run or 0.
    -- Returns {status, token, microseconds until the lease is free}.
    local key, action, owner = KEYS[1], ARGV[1], ARGV[2]
    local duration, run = tonumber(ARGV[3]), tonumber(ARGV[4])
    local time = redis.call('TIME')
    local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
    local function text(number) return string.format('%.0f', number) end

    local stored = redis.call('HMGET', key, 'owner', 'token', 'until', 'duration', 'run')
    local token, free, done = tonumber(stored[2] or 0), tonumber(stored[3] or 0), tonumber(stored[5] or 0)
    -- The clock has been set back.
    local latest = now + tonumber(stored[4] or 0)
    if free > latest then
      free = latest
      redis.call('HSET', key, 'until', text(free))
    end
    local isOwner = stored[1] == owner

    if action == '0' or action == '1' then -- acquire; acquire and note that the run is done
      -- The owner may have noted it itself, and not have got the reply.
      if run > 0 and run <= done and not isOwner then return {2, token, 0} end
      if free > now and not isOwner then return {0, token, free - now} end
      -- Larger than all before, also if the server has lost the last ones.
      token = math.max(token + 1, now)
      if action == '1' then done = run end
      redis.call('HSET', key, 'owner', owner, 'token', text(token), 'until', text(now + duration),
        'duration', text(duration), 'run', text(done))
      return {1, token, duration}
    end
    if not isOwner then return {0, token, math.max(0, free - now)} end
    if action == '2' then -- renew
      redis.call('HSET', key, 'until', text(now + duration), 'duration', text(duration))
      return {1, token, duration}
    end
    -- Release, and note that the run is done.
    redis.call('HSET', key, 'owner', '', 'until', '0', 'run', text(math.max(done, run)))
    return {1, token, 0}
    """#

  /// The SHA-1 digest of ``lease``.
  public static let leaseDigest = "b50323f8702bb8f937a457ff628fbdafb6760160"
}
