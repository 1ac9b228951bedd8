/** One call that waits for its turn. Scheduled work has no name: `participant` is empty. */
export interface Ticket {
  readonly id: number;
  readonly participant: string;
  /** Calls per round of the queue while so many wait: a positive integer. */
  readonly weight: number;
}

export interface QueueDepth {
  /** Places: the calls of users in one round. */
  readonly turns: number;
  readonly users: number;
  readonly scheduled: number;
}

/** Spreads the calls of users with more work than permits, so that others find a permit soon. */
export interface Pace {
  isDue(): boolean;
  /** A paced call is granted now. */
  advance(): void;
}

/** The order of waiting calls. No clock, no I/O; every operation takes constant time per ticket. */
export interface FairQueue {
  enter(ticket: Ticket): void;
  leave(ticketId: number): void;
  /** Removes the ticket whose turn it is and returns its id; none while that is paced and not due. */
  next(pace: Pace): number | undefined;
  depth(): QueueDepth;
}

interface User {
  weight: number;
  /** Ids in the order in which they came; those that have left are skipped. */
  readonly ids: Fifo<number>;
  waiting: number;
  /** Places in the two rings. */
  turns: number;
  /** Its place is among the newcomers'. */
  isNew: boolean;
}

/**
 * Serves users by weighted deficit round robin with priority for newcomers (DRR++, as in RFC 8290). All calls cost the
 * same, so that a deficit is never left over: a user has as many places in the ring as tickets wait, at most `weight`, and
 * each place is good for one call. A user without a place is a newcomer: its first call comes before the ring's, after those
 * of earlier newcomers, one call each. It then has a place in the ring, also with nothing waiting, and is a newcomer again
 * only when that has been passed: no user is overtaken by another's newcomer twice in a round.
 *
 * Scheduled work is guaranteed `share` of the calls while it waits. Newcomers, and users with no more calls waiting than one
 * round serves, may go first by `lead` calls, and a user with more by half of that while others wait behind it; scheduled
 * work catches up before a user with more continues alone. What either side does not want is the other's. Scheduled work is
 * paced, and so is a user with more calls waiting than one round serves while others wait.
 */
export function createFairQueue({ share, lead }: { share: number; lead: number }): FairQueue {
  const users = new Map<string, User>();
  const owners = new Map<number, string>();
  const newcomers = createFifo<string>();
  const ring = createFifo<string>();
  const scheduled = createFifo<number>();
  let scheduledWaiting = 0;
  /** Calls that scheduled work is behind its share. */
  let behind = 0;

  function addPlaces(name: string, user: User): void {
    for (; user.turns < Math.min(user.weight, user.waiting); user.turns += 1) ring.push(name);
  }

  function isScheduledTurn(usersWait: boolean): boolean {
    if (!usersWait || scheduledWaiting === 0) return !usersWait;
    return behind + share > allowedLead();
  }

  function countTurn(isScheduled: boolean, usersWait: boolean): void {
    if (!usersWait) behind = Math.max(0, behind - (1 - share));
    else if (scheduledWaiting > 0) behind += isScheduled ? share - 1 : share;
  }

  /** Whether the next user is a newcomer, or has no more calls waiting than it gets in one round. */
  function mayLead(): boolean {
    if (newcomers.peek() !== undefined) return true;
    const user = users.get(ring.peek() ?? '');
    return user !== undefined && user.waiting <= user.weight;
  }

  /** A user with many calls must not hold up those behind it in the ring until scheduled work has caught up. */
  function allowedLead(): number {
    if (mayLead()) return lead;
    return owners.size - scheduledWaiting > firstOfRingWaits() ? lead / 2 : 0;
  }

  const isAlone = () => owners.size === firstOfRingWaits();
  const firstOfRingWaits = () => users.get(ring.peek() ?? '')?.waiting ?? 0;

  /** Removes first places whose user waits no more. */
  function dropIdle(places: Fifo<string>): void {
    for (;;) {
      const name = places.peek();
      const user = name === undefined ? undefined : users.get(name);
      if (name === undefined || (user && user.waiting > 0)) return;
      places.shift();
      if (user) endPlace(name, user);
    }
  }

  function endPlace(name: string, user: User): void {
    user.turns -= 1;
    if (user.turns === 0) users.delete(name);
  }

  function firstWaiting(ids: Fifo<number>): number | undefined {
    for (;;) {
      const id = ids.shift();
      if (id === undefined || owners.delete(id)) return id;
    }
  }

  function nextOfUsers(): number | undefined {
    const isNew = newcomers.peek() !== undefined;
    const name = (isNew ? newcomers : ring).shift();
    const user = name === undefined ? undefined : users.get(name);
    if (name === undefined || !user) return undefined;
    user.waiting -= 1;
    user.isNew = false;
    if (isNew) ring.push(name);
    else user.turns -= 1;
    addPlaces(name, user);
    if (user.turns === 0) users.delete(name);
    return firstWaiting(user.ids);
  }

  function nextOfScheduled(): number | undefined {
    scheduledWaiting -= 1;
    return firstWaiting(scheduled);
  }

  return {
    enter({ id, participant, weight }) {
      owners.set(id, participant);
      if (participant === '') {
        scheduled.push(id);
        scheduledWaiting += 1;
        return;
      }
      const known = users.get(participant);
      const user = known ?? { weight, ids: createFifo<number>(), waiting: 0, turns: 1, isNew: true };
      user.weight = weight;
      user.ids.push(id);
      user.waiting += 1;
      if (!user.isNew) addPlaces(participant, user);
      if (known) return;
      users.set(participant, user);
      newcomers.push(participant);
    },
    leave(id) {
      const participant = owners.get(id);
      const user = participant && users.get(participant);
      if (user) user.waiting -= 1;
      else if (participant === '') scheduledWaiting -= 1;
      owners.delete(id);
      if (owners.size > 0) return;
      newcomers.clear();
      ring.clear();
      users.clear();
      scheduled.clear();
    },
    next(pace) {
      if (owners.size === 0) return undefined;
      dropIdle(newcomers);
      dropIdle(ring);
      const usersWait = owners.size > scheduledWaiting;
      const isScheduled = isScheduledTurn(usersWait);
      const isPaced = isScheduled || !(mayLead() || isAlone());
      if (isPaced && !pace.isDue()) return undefined;
      if (isPaced) pace.advance();
      countTurn(isScheduled, usersWait);
      return isScheduled ? nextOfScheduled() : nextOfUsers();
    },
    depth: () => ({
      turns: newcomers.size() + ring.size(),
      users: owners.size - scheduledWaiting,
      scheduled: scheduledWaiting,
    }),
  };
}

interface Fifo<Item> {
  push(item: Item): void;
  shift(): Item | undefined;
  peek(): Item | undefined;
  size(): number;
  clear(): void;
}

/** An array's own `shift` moves all its items. */
function createFifo<Item>(): Fifo<Item> {
  let items: Item[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    shift() {
      const item = items[head];
      if (head < items.length) head += 1;
      if (head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    peek: () => items[head],
    size: () => items.length - head,
    clear() {
      items = [];
      head = 0;
    },
  };
}

/** Returns the depth after one of those that wait has left. */
export function withoutOne({ turns, users, scheduled }: QueueDepth, isScheduled: boolean): QueueDepth {
  if (isScheduled) return { turns, users, scheduled: Math.max(0, scheduled - 1) };
  const left = Math.max(0, users - 1);
  return { turns: Math.min(turns, left), users: left, scheduled };
}

/** How many calls come before one more of a participant's, when nothing else comes and nothing leaves. */
export function callsAhead(
  { turns, users, scheduled }: QueueDepth,
  of: {
    /** The participant's tickets among those that wait, and how many of them come first. */
    own: number;
    before: number;
    weight: number;
    scheduled: boolean;
    share: number;
  },
): number {
  const { own, before, weight, share } = of;
  if (of.scheduled)
    return before + Math.min(users, share === 0 ? users : Math.floor((before * (1 - share)) / share));
  const rounds = Math.floor(before / weight) + 1;
  const othersPlaces = Math.max(0, turns - Math.min(weight, own));
  const people = before + Math.min(Math.max(0, users - own), othersPlaces * rounds);
  return people + Math.min(scheduled, share === 1 ? scheduled : Math.floor((people * share) / (1 - share)));
}
