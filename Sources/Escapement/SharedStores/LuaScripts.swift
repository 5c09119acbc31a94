/// The scripts for Redis 5 and later, and for Valkey.
///
/// Lua has floating-point numbers. All numbers of the scripts are integers of at most 53 bits, which they
/// represent exactly.
public enum LuaScripts {
  /// Takes permits of a quota.
  ///
  /// The script makes the same decisions as ``QuotaLimiter``, in microseconds. It stores one hash, which
  /// expires when the quota is full again. If the clock is set back, for example because a replica with another
  /// clock takes over, time stands still until it has caught up. If that would take longer than the quota needs
  /// to fill, the quota begins empty instead.
  public static let quota = #"""
    -- KEYS[1]: the name of the state.
    -- ARGV: the permits, the microseconds in which the empty quota fills, and for each of its parts four numbers.
    -- Returns {1, remaining permits}, or {0, microseconds until enough permits are available}.
    local key, permits, span = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
    local count = (#ARGV - 2) / 4
    local time = redis.call('TIME')
    local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

    -- math.floor(a / b) is wrong where the quotient is not exact.
    local function floor(a, b) return (a - math.fmod(a, b)) / b end
    local function ceil(a, b) return floor(a + b - 1, b) end
    -- An operator would write only 14 digits; redis.call writes all.
    local function text(number) return string.format('%.0f', number) end

    local fields = {'t'}
    for part = 1, count do fields[part + 1] = part end
    local stored = redis.call('HMGET', key, unpack(fields))
    local last = tonumber(stored[1] or now)
    local isSetBack = last - now > span
    if isSetBack then
      redis.call('DEL', key)
      last = now
    end
    now = math.max(now, last)

    local wait, remaining = 0, math.huge
    local before, after, grants, expired = {'t', now}, {'t', now}, {}, {}
    for part = 1, count do
      local first = part * 4 - 1
      local kind, a, b = ARGV[first], tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
      local c = tonumber(ARGV[first + 3])
      local state, left = stored[part + 1], nil
      before[part * 2 + 1], after[part * 2 + 1] = part, part
      if kind == '0' then
        -- Smooth: a units fill the bucket, b are a permit, c come back in a microsecond. The state: the units
        -- that are missing.
        local missing = isSetBack and a or tonumber(state or 0)
        local elapsed = now - last
        missing = elapsed >= ceil(missing, c) and 0 or missing - elapsed * c
        local taken = missing + permits * b
        if taken > a then wait = math.max(wait, ceil(taken - a, c)) else left = floor(a - taken, b) end
        before[part * 2 + 2], after[part * 2 + 2] = missing, taken
      elseif kind == '1' then
        -- In intervals: up to a permits, b come back at each multiple of c microseconds. The state: the permits
        -- that are left.
        local tokens = isSetBack and -b or tonumber(state or a)
        local refills = floor(now, c) - floor(last, c)
        tokens = refills >= ceil(a - tokens, b) and a or tokens + refills * b
        left = tokens - permits
        if left < 0 then wait = math.max(wait, (floor(now, c) + ceil(-left, b)) * c - now) end
        before[part * 2 + 2], after[part * 2 + 2] = tokens, left
      else
        -- A window: a permits in b microseconds. The grants are fields: 'part:number' has the time of a grant,
        -- and the sum of all permits until then. The state: the sum that has left the window, the sum, the
        -- number of the first grant in the window, the number of the next grant.
        local gone, sum, head, tail = string.match(state or '0 0 1 1', '(%d+) (%d+) (%d+) (%d+)')
        gone, sum, head, tail = tonumber(gone), tonumber(sum), tonumber(head), tonumber(tail)
        local function field(number) return text(part) .. ':' .. text(number) end
        local function grant(number)
          local time, sum = string.match(redis.call('HGET', key, field(number)), '(%d+) (%d+)')
          return tonumber(time), tonumber(sum)
        end
        if isSetBack then
          gone, sum, head, tail = 0, a, 1, 2
          redis.call('HSET', key, field(1), text(now) .. ' ' .. text(a))
        end
        while head < tail do
          local time, total = grant(head)
          if time > now - b then break end
          expired[#expired + 1] = field(head)
          gone, head = total, head + 1
        end
        left = a - (sum - gone) - permits
        if left < 0 then
          -- The first grant with whose end enough permits come back.
          local low, high = head, tail - 1
          while low < high do
            local middle = math.floor((low + high) / 2)
            local _, total = grant(middle)
            if total - gone < -left then low = middle + 1 else high = middle end
          end
          wait = math.max(wait, grant(low) + b - now)
        end
        local function window(sum, tail)
          return text(gone) .. ' ' .. text(sum) .. ' ' .. text(head) .. ' ' .. text(tail)
        end
        before[part * 2 + 2], after[part * 2 + 2] = window(sum, tail), window(sum + permits, tail + 1)
        grants[#grants + 1] = field(tail)
        grants[#grants + 1] = text(now) .. ' ' .. text(sum + permits)
      end
      if left then remaining = math.min(remaining, left) end
    end

    -- A denial changes nothing.
    local isGranted = wait == 0
    if isGranted then
      for _, field in ipairs(grants) do after[#after + 1] = field end
      for _, field in ipairs(expired) do redis.call('HDEL', key, field) end
    end
    if isGranted or isSetBack then
      redis.call('HSET', key, unpack(isGranted and after or before))
      redis.call('PEXPIRE', key, ceil(span, 1000) + 1)
    end
    return {isGranted and 1 or 0, isGranted and remaining or wait}
    """#

  /// The SHA-1 digest of ``quota``.
  public static let quotaDigest = "de45d33cf9297c3cf200061cfc25f4f15bc73d73"

  /// Acquires, renews and releases a lease.
  ///
  /// The script stores one hash, which does not expire, because it contains the last fencing token. If the
  /// clock is set back, the lease ends at the latest after its duration.
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
      token = token + 1
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
  public static let leaseDigest = "d588c15f0531946143dc60f44cacbdfa2f2a7ef4"
}
