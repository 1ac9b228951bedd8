/** One call that waits for its turn. Scheduled work has no name: `participant` is empty. */
export interface Ticket {
  readonly id: string;
  readonly participant: string;
  /** Calls per round of the queue by how many wait: a positive integer. */
  readonly weight: number;
  /** Orders the calls of one participant, also of one that comes back. */
  readonly joinedMs: number;
}

/** Spreads the calls of users with more work than permits, so that others find a permit soon. */
export interface Pace {
  isDue(): boolean;
  /** A paced call is granted now. */
  advance(): void;
}

/** The order of waiting calls. No clock, no I/O. */
export interface FairOrder {
  enter(ticket: Ticket): void;
  leave(ticketId: string): void;
  /** Removes the ticket whose turn it is and returns its id; none while that is paced and not due. */
  next(pace: Pace): string | undefined;
  /** How many wait. */
  size(): number;
}

interface User {
  weight: number;
  /** When each joined, by id. */
  readonly ids: Map<string, number>;
  /** In rounds: its next call comes after all that start before. */
  start: number;
}

/**
 * Serves users by start-time fair queuing (Goyal, Vin and Cheng 1996): a call starts `1 / weight` of a round after its user's last
 * one, or now where that is over, and the earliest start is next; of equal ones, the user that has waited longer.
 *
 * Scheduled work is guaranteed `share` of the calls while it waits. Users may go first by `lead` calls while one of them has no more
 * calls waiting than it gets in one round. What either side does not want is the other's. Scheduled work is paced, and so is a
 * user with more calls waiting than one round serves while others wait.
 */
export function createFairOrder({ share, lead }: { share: number; lead: number }): FairOrder {
  /** Those of equal start in the order of their turns. */
  const users = new Map<string, User>();
  const scheduled = new Map<string, number>();
  const owners = new Map<string, string>();
  /** The start of the last call, in rounds. */
  let now = 0;
  /** Calls that scheduled work is behind its share. */
  let behind = 0;

  const isLight = ({ ids, weight }: User) => ids.size <= weight;

  /** The user whose turn it is among users, and whether any has no more calls waiting than one round serves. */
  function look() {
    let first: [string, User] | undefined;
    let hasLight = false;
    for (const [name, user] of users) {
      if (user.ids.size === 0) {
        // Its last call is over: it begins anew.
        if (user.start <= now) users.delete(name);
        continue;
      }
      if (!first || user.start < first[1].start) first = [name, user];
      hasLight ||= isLight(user);
    }
    return { first, hasLight };
  }

  function grantUser([name, user]: [string, User]): string | undefined {
    now = user.start;
    user.start += 1 / user.weight;
    users.delete(name);
    users.set(name, user);
    return grant(user.ids);
  }

  function grant(ids: Map<string, number>): string | undefined {
    let first: [string, number] | undefined;
    for (const one of ids) if (!first || one[1] < first[1]) first = one;
    if (first) remove(ids, first[0]);
    return first?.[0];
  }

  function remove(ids: Map<string, number> | undefined, id: string): void {
    ids?.delete(id);
    owners.delete(id);
    if (owners.size === 0) users.clear();
  }

  return {
    enter({ id, participant, weight, joinedMs }) {
      owners.set(id, participant);
      if (participant === '') {
        scheduled.set(id, joinedMs);
        return;
      }
      const user = users.get(participant) ?? { weight, ids: new Map(), start: now };
      user.weight = weight;
      if (user.ids.size === 0) {
        user.start = Math.max(user.start, now);
        users.delete(participant);
        users.set(participant, user);
      }
      user.ids.set(id, joinedMs);
    },
    leave(id) {
      const participant = owners.get(id);
      if (participant === undefined) return;
      remove(participant === '' ? scheduled : users.get(participant)?.ids, id);
    },
    next(pace) {
      const { first, hasLight } = look();
      const checksWait = scheduled.size > 0;
      if (!first && !checksWait) return undefined;
      const isScheduled = !first || (checksWait && behind + share > (hasLight ? lead : 0));
      const isAlone = first?.[1].ids.size === owners.size;
      const isPaced = isScheduled || !(isAlone || isLight(first[1]));
      if (isPaced && !pace.isDue()) return undefined;
      if (isPaced) pace.advance();
      if (!first) behind = Math.max(0, behind - (1 - share));
      else if (checksWait) behind += isScheduled ? share - 1 : share;
      return isScheduled ? grant(scheduled) : grantUser(first);
    },
    size: () => owners.size,
  };
}
