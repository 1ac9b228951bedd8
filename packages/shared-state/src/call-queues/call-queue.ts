import { type Clock, WOKEN } from '@casewatch/service-kit/runtime/clock';
import { callsAhead, type QueueDepth, type Ticket, withoutOne } from './fair-queue.ts';

/** How many calls may be in flight, or have ended within the last `windowMs`, at once. */
export interface CallRule {
  /** Unique within the product; names what is called. */
  readonly name: string;
  readonly calls: number;
  readonly windowMs: number;
  /** A call that has not ended after so long counts as ended: its process may be gone. */
  readonly leaseMs: number;
  /** The share of the calls, 0 to 1, that scheduled work is guaranteed while it waits. */
  readonly scheduledShare: number;
}

/** On whose turn a call is made. Users take turns by weight, a positive integer; scheduled work is one participant. */
export type Participant =
  | { readonly kind: 'user'; readonly id: string; readonly weight: number }
  | { readonly kind: 'scheduled' };

/** One call's permit, held from before it is sent until a window after `done`. Only the first call of either counts. */
export interface CallLease {
  /** The call can't arrive any more: the head of its answer is here, or it has failed. */
  done(): void;
  /** No call was sent: the permit is free at once. */
  release(): void;
  /** It was granted so long ago that its call, sent now, might arrive after the permit has lapsed: release it, and take another. */
  isExpired(): boolean;
}

/** Calls of every process that shares the queue, in fair order and never more than the rule allows. */
export interface CallQueue {
  /**
   * Resolves when one call may be sent, at once. First in, first out within one participant.
   * @throws CallRefusal at `withinMs`, or as soon as the wait is certain to be longer; the signal's reason on abort
   */
  take(participant: Participant, withinMs: number, signal?: AbortSignal): Promise<CallLease>;
  /** No call is granted for so long. A shorter pause does not shorten a longer one. */
  pause(ms: number): void;
  /** Tickets of this process that wait, by kind of participant. */
  depth(): Record<Participant['kind'], number>;
  /** Refuses every waiting ticket, and all that come later. */
  stop(): void;
}

export type CallQueues = (rule: CallRule) => CallQueue;

/** No call. `busy`: none is free in time; `unavailable`: the permits can't be counted, so that none is granted. */
export class CallRefusal extends Error {
  override readonly name = 'CallRefusal';
  readonly reason: 'busy' | 'unavailable';
  /** When this participant can expect a call, by the queue as it is. */
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number, reason: CallRefusal['reason'] = 'busy') {
    super(reason === 'busy' ? 'no call is available in time' : "the permits can't be counted");
    this.reason = reason;
    this.retryAfterMs = Math.max(0, Math.ceil(retryAfterMs));
  }
}

/** Where the order and the permits are kept: in this process, or in Redis for all processes. */
export interface CallDispatcher {
  /**
   * Enters and removes tickets, then grants free permits in fair order.
   * @throws when the permits can't be counted: then no call may be made
   */
  dispatch(change: Change): Promise<Dispatched>;
  done(ticketId: number): void;
  release(ticketId: number): void;
  pause(ms: number): void;
}

export interface Change {
  readonly entered: readonly Ticket[];
  readonly left: readonly number[];
  /** Every ticket of this process that waits, the entered ones included: for a store that has lost them. */
  readonly waiting: () => readonly Ticket[];
}

export interface Dispatched {
  readonly granted: readonly number[];
  /** No permit is granted to a waiting ticket sooner. */
  readonly waitMs: number;
  /** When to dispatch again at the latest, while tickets wait. */
  readonly againMs: number;
  readonly depth: QueueDepth;
}

/** What one process keeps waiting: for one participant, and for all. */
const TICKETS_PER_PARTICIPANT = 1_000;
const TICKETS = 10_000;
/** When to come back while the permits can't be counted. */
const UNAVAILABLE_RETRY_MS = 2_000;
const STOPPED_RETRY_MS = 1_000;

interface Waiting extends Ticket {
  readonly deadlineMs: number;
  /** The dispatcher had no permit for it so far. Before that it is not refused, however slow the dispatcher is. */
  asked: boolean;
  readonly grant: (lease: CallLease) => void;
  readonly refuse: (reason: unknown) => void;
  /** Stops listening to its caller's signal. */
  readonly unlisten: () => void;
}

/** The waiting calls of one process in front of a dispatcher: deadlines, refusals and leases. */
export function createCallQueue(options: {
  rule: CallRule;
  dispatcher: CallDispatcher;
  clock: Clock;
}): CallQueue {
  const { rule, dispatcher, clock } = options;
  const tickets = new Map<number, Waiting>();
  const waitingOf = new Map<string, number>();
  const stopping = new AbortController();
  let entered: Waiting[] = [];
  let left: number[] = [];
  let depth: QueueDepth = { turns: 0, users: 0, scheduled: 0 };
  let estimate = { atMs: 0, waitMs: 0 };
  let lastId = 0;
  let serving = false;
  let news = new AbortController();
  /** One timer for all: a timer and a signal for each ticket cost more than the rest of it. */
  let deadline = { atMs: Number.POSITIVE_INFINITY, moved: new AbortController() };

  function changed(): void {
    news.abort(WOKEN);
    if (serving || stopping.signal.aborted) return;
    serving = true;
    void serve();
  }

  async function serve(): Promise<void> {
    while (tickets.size > 0 || left.length > 0) {
      news = new AbortController();
      const dispatched = await dispatch();
      if (!dispatched) continue;
      if (entered.length > 0 || left.length > 0 || tickets.size === 0) continue;
      await clock.sleep(dispatched.againMs, news.signal).catch(() => undefined);
    }
    // In the same step as the last look at the tickets: a newcomer is either seen there or starts anew.
    serving = false;
  }

  async function dispatch(): Promise<Dispatched | undefined> {
    // One that a store learned of as waiting may have been granted before it was to enter: entered again, it would be
    // granted a second permit of the same name, and the release of that one would free the first.
    const change = {
      entered: entered.filter(({ id }) => tickets.has(id)),
      left,
      waiting: () => [...tickets.values()],
    };
    entered = [];
    left = [];
    const askedMs = clock.nowMs();
    try {
      const dispatched = await dispatcher.dispatch(change);
      const now = clock.nowMs();
      for (const id of dispatched.granted) grant(id, askedMs, now);
      depth = dispatched.depth;
      // Only a pause moves the next permit by more than a window; otherwise what came before was judged already.
      const moved = dispatched.waitMs > msUntilAny(askedMs) + rule.windowMs;
      estimate = { atMs: askedMs, waitMs: dispatched.waitMs };
      for (const ticket of change.entered) ticket.asked = true;
      refuseTheLate(moved ? [...tickets.values()] : [...change.entered, ...entered], now);
      return dispatched;
    } catch {
      refuseAll(new CallRefusal(UNAVAILABLE_RETRY_MS, 'unavailable'));
      return undefined;
    }
  }

  function grant(id: number, askedMs: number, now: number): void {
    const ticket = tickets.get(id);
    if (ticket && !isExpired(askedMs, now)) {
      settle(ticket, true).grant(leaseOf(id, askedMs));
      return;
    }
    dispatcher.release(id);
    // Granted too long ago to be used.
    if (ticket) entered.push(ticket);
  }

  /** The other half is for the call's way. */
  const isExpired = (askedMs: number, now: number) => now - askedMs > rule.leaseMs / 2;

  function leaseOf(id: number, askedMs: number): CallLease {
    let open = true;
    const close = (how: (id: number) => void) => () => {
      if (!open) return;
      open = false;
      how(id);
    };
    return {
      done: close(dispatcher.done),
      release: close((id) => {
        dispatcher.release(id);
        forgetEstimate();
        if (tickets.size > 0) changed();
      }),
      isExpired: () => isExpired(askedMs, clock.nowMs()),
    };
  }

  function settle(ticket: Waiting, granted = false): Waiting {
    tickets.delete(ticket.id);
    const others = (waitingOf.get(ticket.participant) ?? 1) - 1;
    if (others > 0) waitingOf.set(ticket.participant, others);
    else waitingOf.delete(ticket.participant);
    if (!granted) left.push(ticket.id);
    // Those that are refused after it are not to wait for it.
    if (!granted && ticket.asked) depth = withoutOne(depth, ticket.participant === '');
    ticket.unlisten();
    return ticket;
  }

  function giveUp(ticket: Waiting, reason: unknown): void {
    settle(ticket).refuse(reason);
    changed();
  }

  /** Sets the timer to this deadline, unless it is set to an earlier one. */
  function wakeAt(atMs: number): void {
    if (atMs >= deadline.atMs) return;
    deadline.moved.abort(WOKEN);
    deadline = { atMs, moved: new AbortController() };
    clock.sleep(Math.max(0, atMs + 1 - clock.nowMs()), deadline.moved.signal).then(
      () => refuseUntil(atMs),
      () => undefined,
    );
  }

  /** The time is over by the clock's sleep: what it says now may have been set back. */
  function refuseUntil(atMs: number): void {
    deadline.atMs = Number.POSITIVE_INFINITY;
    for (const ticket of [...tickets.values()]) {
      if (ticket.deadlineMs > atMs) wakeAt(ticket.deadlineMs);
      else if (ticket.asked) giveUp(ticket, refusalOf(ticket, clock.nowMs()));
    }
  }

  function refuseAll(reason: CallRefusal): void {
    for (const ticket of [...tickets.values()]) settle(ticket).refuse(reason);
    entered = [];
    // A store that still has them releases what it grants them.
    left = [];
  }

  /** Those that are certain to be too late by their own participant's tickets, the last ones of which are given. */
  function refuseTheLate(last: readonly Waiting[], now: number): void {
    const after = new Map<string, number>();
    for (const ticket of last.toReversed()) {
      if (!tickets.has(ticket.id)) continue;
      const { participant } = ticket;
      const kept = after.get(participant) ?? 0;
      const before = (waitingOf.get(participant) ?? 0) - kept - 1;
      const isLate = now + msUntilAny(now) + msFor(before) > ticket.deadlineMs;
      if (isLate && ticket.asked) giveUp(ticket, refusalOf(ticket, now));
      else after.set(participant, kept + 1);
    }
  }

  /** Until a permit may be free, as the dispatcher has said. Not known any more when the clock was set back. */
  function msUntilAny(now: number): number {
    return now < estimate.atMs ? 0 : Math.max(0, estimate.atMs + estimate.waitMs - now);
  }

  /** A permit came back, or none is granted for longer: the next caller finds out, also one that would not wait. */
  function forgetEstimate(): void {
    estimate = { atMs: 0, waitMs: 0 };
  }

  const msFor = (callsBefore: number) => Math.floor(callsBefore / rule.calls) * rule.windowMs;

  /** Says when its participant can expect a call, once this ticket is gone. */
  function refusalOf({ id, participant, weight }: Ticket, now: number): CallRefusal {
    const own = waitingOf.get(participant) ?? 0;
    const ahead = callsAhead(depth, {
      own,
      before: tickets.has(id) ? own - 1 : own,
      weight,
      scheduled: participant === '',
      share: rule.scheduledShare,
    });
    return new CallRefusal(msUntilAny(now) + msFor(ahead));
  }

  return {
    take(participant, withinMs, signal) {
      const now = clock.nowMs();
      const [name, weight] = participant.kind === 'user' ? [participant.id, participant.weight] : ['', 1];
      const behind = waitingOf.get(name) ?? 0;
      lastId += 1;
      const place = { id: lastId, participant: name, weight };
      if (stopping.signal.aborted) return Promise.reject(new CallRefusal(STOPPED_RETRY_MS));
      if (signal?.aborted) return Promise.reject(signal.reason);
      const full = behind >= TICKETS_PER_PARTICIPANT || tickets.size >= TICKETS;
      if (full || msUntilAny(now) + msFor(behind) > withinMs) return Promise.reject(refusalOf(place, now));
      return new Promise((grant, refuse) => {
        const leave = () => giveUp(ticket, signal?.reason);
        const unlisten = () => signal?.removeEventListener('abort', leave);
        const ticket = { ...place, deadlineMs: now + withinMs, asked: false, grant, refuse, unlisten };
        tickets.set(ticket.id, ticket);
        waitingOf.set(name, behind + 1);
        entered.push(ticket);
        signal?.addEventListener('abort', leave);
        wakeAt(ticket.deadlineMs);
        changed();
      });
    },
    pause(ms) {
      dispatcher.pause(ms);
      forgetEstimate();
      changed();
    },
    depth() {
      const scheduled = waitingOf.get('') ?? 0;
      return { user: tickets.size - scheduled, scheduled };
    },
    stop() {
      stopping.abort();
      refuseAll(new CallRefusal(STOPPED_RETRY_MS));
      news.abort(new Error('stopped'));
      deadline.moved.abort(WOKEN);
    },
  };
}
