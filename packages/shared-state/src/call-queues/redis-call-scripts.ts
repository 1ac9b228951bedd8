/**
 * All permits of one queue are one sorted set, so that they are lost as a whole or not at all: each permit with the time at
 * which it is free again, `pause` with the time at which that ends, and `alive`, whose absence shows a loss of data. Only the
 * server's clock counts. Times have to be written with their decimals: Lua's own way has 14 digits.
 */
const PRELUDE = `
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function text(ms) return string.format('%.3f', ms) end
local function put(member, ms) redis.call('ZADD', key, text(ms), member) end
`;

/**
 * KEYS: permits; tickets (participant|order|permit, sorted by name), members (permit to ticket), ring (of users), newcomers, state
 * (order, how far scheduled work is behind, when a paced call is due, and of each user places and weight), processes (when
 * each asked last), granted (process:permit that waits to be fetched). ARGV: calls, window, lease, share of scheduled work,
 * process, whether it enters all its tickets, when a process is gone, how much a paced call may make up for, number of new
 * tickets, then id, participant and weight of each, then ids of tickets that leave. A ticket's permit has its name.
 *
 * Returns the wait for a permit, the wait until one can be granted to what is in the queue now, the depth of the queue
 * (places in the ring, users, scheduled) and the ids granted to this process; or -1 when the process is not known (any
 * more), whose tickets are then not in the queue.
 *
 * The order is that of \`createFairQueue\`, the pace that of \`createCallPace\`. After a loss no permit is granted until all calls that may have been known before
 * have ended and left the window; likewise when a permit is taken for longer than possible, which means that the clock was
 * set back.
 */
export const DISPATCH = `${PRELUDE}
local tickets, members, ring, newcomers = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local state, processes, granted = KEYS[6], KEYS[7], KEYS[8]
local calls, window, lease, share = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local me, first, gone = ARGV[5], ARGV[6] == '1', tonumber(ARGV[7])
local catchUp, entering = tonumber(ARGV[8]), tonumber(ARGV[9])
local longest, lead, interval = window + lease, share * calls, window / calls

redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))
local pause = tonumber(redis.call('ZSCORE', key, 'pause') or '0')
local beyond = redis.call('ZCOUNT', key, '(' .. text(now + longest + 1), '(+inf')
if pause > now + longest + 1 then beyond = beyond - 1 end
if beyond > 0 or not redis.call('ZSCORE', key, 'alive') then
  redis.call('DEL', key, tickets, members, ring, newcomers, state, processes, granted)
  redis.call('ZADD', key, '+inf', 'alive')
  pause = math.max(beyond > 0 and 0 or pause, now + longest)
  put('pause', pause)
end

local function isAlive(process)
  local seen = tonumber(redis.call('ZSCORE', processes, process) or '-inf')
  return seen >= now - gone and seen <= now + gone
end
local function count(participant)
  return redis.call('ZLEXCOUNT', tickets, '[' .. participant .. '|', '(' .. participant .. '}')
end
local function remove(permit)
  local ticket = redis.call('HGET', members, permit)
  if not ticket then return end
  redis.call('ZREM', tickets, ticket)
  redis.call('HDEL', members, permit)
end
local function mine(set) return redis.call('ZRANGEBYLEX', set, '[' .. me .. ':', '(' .. me .. ';') end

if not isAlive(me) then
  if not first then return {${-1}} end
  -- What it was granted meanwhile was never sent.
  for _, permit in ipairs(mine(granted)) do
    redis.call('ZREM', key, permit)
    redis.call('ZREM', granted, permit)
  end
end
redis.call('ZADD', processes, text(now), me)
redis.call('ZREMRANGEBYSCORE', processes, '-inf', '(' .. text(now - gone))

local function addPlaces(participant)
  local weight = tonumber(redis.call('HGET', state, 'weight:' .. participant) or '1')
  local turns = tonumber(redis.call('HGET', state, 'turns:' .. participant) or '0')
  local target = math.min(weight, count(participant))
  for _ = turns + 1, target do redis.call('RPUSH', ring, participant) end
  if target > turns then redis.call('HSET', state, 'turns:' .. participant, target) end
end
local index = 10
for _ = 1, entering do
  local permit, participant, weight = me .. ':' .. ARGV[index], ARGV[index + 1], ARGV[index + 2]
  index = index + 3
  remove(permit)
  local order = redis.call('HINCRBY', state, 'order', 1)
  local ticket = participant .. '|' .. string.format('%016d', order) .. '|' .. permit
  redis.call('ZADD', tickets, 0, ticket)
  redis.call('HSET', members, permit, ticket)
  if participant ~= '' then
    redis.call('HSET', state, 'weight:' .. participant, weight)
    if redis.call('HSETNX', state, 'turns:' .. participant, 1) == 1 then
      redis.call('HSET', state, 'new:' .. participant, 1)
      redis.call('RPUSH', newcomers, participant)
    elseif redis.call('HEXISTS', state, 'new:' .. participant) == 0 then
      addPlaces(participant)
    end
  end
end
for left = index, #ARGV do remove(me .. ':' .. ARGV[left]) end

-- The permit that the participant's first ticket of a living process asks for.
local function head(participant)
  while true do
    local ticket = redis.call('ZRANGEBYLEX', tickets, '[' .. participant .. '|', '(' .. participant .. '}', 'LIMIT', 0, 1)[1]
    if not ticket then return nil end
    local permit = string.sub(ticket, #participant + 19)
    if isAlive(string.match(permit, '^[^:]+')) then return permit end
    remove(permit)
  end
end
-- After a call of the user whose place is first; or when it waits no more, and then without a place in the ring for it.
local function endTurn(places, participant, waits)
  redis.call('LPOP', places)
  redis.call('HDEL', state, 'new:' .. participant)
  if waits and places == newcomers then redis.call('RPUSH', ring, participant)
  else redis.call('HINCRBY', state, 'turns:' .. participant, -1) end
  addPlaces(participant)
  if tonumber(redis.call('HGET', state, 'turns:' .. participant)) > 0 then return end
  redis.call('HDEL', state, 'turns:' .. participant, 'weight:' .. participant)
end
local function headOf(places)
  while true do
    local participant = redis.call('LINDEX', places, 0)
    if not participant then return nil end
    local permit = head(participant)
    if permit then return permit, participant, places end
    endTurn(places, participant, false)
  end
end
local function headOfUsers()
  local permit, participant = headOf(ring)
  local newPermit, newParticipant = headOf(newcomers)
  if newPermit then return newPermit, newParticipant, newcomers end
  return permit, participant, ring
end
-- A newcomer, or a user with no more calls waiting than it gets in one round.
local function mayLead(participant, places)
  return places == newcomers
    or count(participant) <= tonumber(redis.call('HGET', state, 'weight:' .. participant) or '1')
end
-- Of those that wait, one that waits with no others.
local function isAlone(participant)
  return count(participant) == redis.call('ZCARD', tickets)
end
local function allowedLead(participant, leads)
  if leads then return lead end
  return redis.call('ZCARD', tickets) - count('') > count(participant) and lead / 2 or 0
end
local function msUntilDue()
  local left = tonumber(redis.call('HGET', state, 'due') or '0') - now
  if left > interval + 1 then return 0 end
  return math.max(0, left)
end
local function isHeldBack()
  if msUntilDue() > 0 then return true end
  local due = tonumber(redis.call('HGET', state, 'due') or '0')
  redis.call('HSET', state, 'due', text(math.max(math.min(due, now), now - catchUp) + interval))
  return false
end
local function nextPermit()
  local scheduled = head('')
  local permit, participant, places = headOfUsers()
  if not scheduled and not permit then return nil end
  local behind = tonumber(redis.call('HGET', state, 'behind') or '0')
  local leads = permit and mayLead(participant, places)
  local isTurn = scheduled and (not permit or behind + share > allowedLead(participant, leads))
  if (isTurn or not (leads or isAlone(participant))) and isHeldBack() then return nil end
  if not permit then behind = math.max(0, behind - (1 - share))
  elseif scheduled then behind = behind + (isTurn and share - 1 or share) end
  redis.call('HSET', state, 'behind', string.format('%.6f', behind))
  remove(isTurn and scheduled or permit)
  if isTurn then return scheduled end
  endTurn(places, participant, true)
  return permit
end

if pause <= now then
  for _ = 1, calls - (redis.call('ZCARD', key) - 1) do
    local permit = nextPermit()
    if not permit then break end
    put(permit, now + longest)
    redis.call('ZADD', granted, 0, permit)
  end
end

local wait, again = 0, msUntilDue()
if pause > now then
  wait = math.ceil(pause - now)
elseif redis.call('ZCARD', key) > calls then
  local soonest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  wait = math.max(1, math.ceil(math.min(window, tonumber(soonest[2]) - now)))
end
if wait > 0 then again = wait end
local scheduled = count('')
local reply = {wait, math.ceil(again), redis.call('LLEN', ring) + redis.call('LLEN', newcomers), redis.call('ZCARD', tickets) - scheduled, scheduled}
for _, permit in ipairs(mine(granted)) do
  redis.call('ZREM', granted, permit)
  -- A permit that has lapsed may belong to another ticket by now.
  if redis.call('ZSCORE', key, permit) then
    put(permit, now + longest)
    reply[#reply + 1] = tonumber(string.sub(permit, #me + 2))
  end
end
return reply`;

/** KEYS: permits. ARGV: window, then permits whose calls have ended. */
export const DONE = `${PRELUDE}
local free = now + tonumber(ARGV[1])
for index = 2, #ARGV do
  local score = redis.call('ZSCORE', key, ARGV[index])
  if score and tonumber(score) > free then put(ARGV[index], free) end
end
return #ARGV - 1`;

/** KEYS: permits. ARGV: ms. */
export const PAUSE = `${PRELUDE}
local till = now + tonumber(ARGV[1])
if till > tonumber(redis.call('ZSCORE', key, 'pause') or '0') then put('pause', till) end
return 1`;
