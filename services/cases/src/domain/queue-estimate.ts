import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type AgencyFailure, NO_CALLER } from './agency-failure.ts';
import type { AgencyQueue, QueueState } from './agency-queue.ts';
import { participantOf, type Requester } from './lookup.ts';

/** What a lookup may expect of the queue before it joins: who cannot be served in time is refused without a write. */
export interface QueueEstimate {
  /**
   * Lets a lookup in that waits `waitMs` at the most, and counts it until it leaves; or says why it need not join. Of many
   * that ask at once, each counts for the next.
   */
  enter(requester: Requester, waitMs: number): Promise<Admission>;
  /** The failure of a lookup whose turn did not come in time. */
  busy(requester: Requester): Promise<AgencyFailure>;
}

type Admission = { readonly refusal: AgencyFailure } | { leave(): void };

export interface QueueRule {
  readonly callsPerSecond: number;
  /** The share of the calls, 0 to 1, that scheduled checks are guaranteed while they wait. */
  readonly monitoringShare: number;
  /** Calls of one user in a round of the queue. */
  readonly weights: Readonly<Record<Tier, number>>;
}

/** What may wait: of one user or of scheduled checks, and of all. */
const MOST = { ofOne: 1_000, ofAll: 10_000 };
/** How long a read state of the queue is used. */
const BELIEVED_MS = 1_000;
const SECOND_MS = 1_001;

export function createQueueEstimate(
  queue: Pick<AgencyQueue, 'state'>,
  clock: Pick<Clock, 'databaseNowMs'>,
  rule: QueueRule,
): QueueEstimate {
  const now = clock.databaseNowMs ?? (() => performance.now());
  /** Lookups of this process, by participant. */
  const own = new Map<string, { tier: Tier | null; waiting: number }>();
  let read: { atMs: number; state: Promise<QueueState> } | undefined;

  async function stateNow(): Promise<QueueState> {
    const atMs = now();
    if (!read || atMs - read.atMs >= BELIEVED_MS) {
      const reading = { atMs, state: queue.state() };
      const forget = () => {
        if (read === reading) read = undefined;
      };
      // A process may begin to call at any moment: that none does holds only for those who ask while it is read.
      reading.state.then(({ isCalled }) => isCalled || forget(), forget);
      read = reading;
    }
    const agoMs = atMs - read.atMs;
    const { pausedMs, quotaSpentMs, ...state } = await read.state;
    return {
      ...state,
      pausedMs: Math.max(0, pausedMs - agoMs),
      quotaSpentMs: Math.max(0, quotaSpentMs - agoMs),
    };
  }

  function waitingOf(state: QueueState): Map<string, { tier: Tier | null; waiting: number }> {
    const all = new Map(own);
    for (const { userId, tier, waiting } of state.waiting) {
      const name = userId ?? '';
      all.set(name, { tier, waiting: waiting + (all.get(name)?.waiting ?? 0) });
    }
    return all;
  }

  async function busy(requester: Requester): Promise<AgencyFailure> {
    const state = await stateNow();
    if (!state.isCalled) return NO_CALLER;
    if (requester.source === 'user' && state.quotaSpentMs > 0) {
      return { kind: 'quota-spent', retryAfterMs: Math.ceil(state.quotaSpentMs) };
    }
    const ahead = callsAhead(waitingOf(state), requester, rule);
    const paused = state.quotaSpentMs > 0 ? 'quota-spent' : 'rate-limited';
    return {
      kind: state.pausedMs > 0 ? paused : 'budget-busy',
      retryAfterMs: Math.ceil(state.pausedMs + msFor(ahead)),
    };
  }

  const msFor = (calls: number) => Math.floor(calls / rule.callsPerSecond) * SECOND_MS;

  return {
    busy,
    async enter(requester, waitMs) {
      // Nothing is awaited between the look at the queue and the entry.
      const state = await stateNow();
      const waiting = waitingOf(state);
      const before = waiting.get(participantOf(requester))?.waiting ?? 0;
      const isFull = before >= MOST.ofOne || sum(waiting.values()) >= MOST.ofAll;
      // Others may leave, or may share their calls: what one participant has waiting itself is certain.
      if (isFull || state.pausedMs + msFor(before) > waitMs) return { refusal: await busy(requester) };
      const name = participantOf(requester);
      const one = own.get(name) ?? { tier: requester.source === 'user' ? requester.tier : null, waiting: 0 };
      one.waiting += 1;
      own.set(name, one);
      return {
        leave() {
          one.waiting -= 1;
          if (one.waiting === 0) own.delete(name);
        },
      };
    },
  };
}

function sum(all: Iterable<{ waiting: number }>): number {
  let total = 0;
  for (const { waiting } of all) total += waiting;
  return total;
}

/** Returns how many calls come before one more of a participant's, when nothing else comes and nothing leaves. */
export function callsAhead(
  all: ReadonlyMap<string, { tier: Tier | null; waiting: number }>,
  requester: Requester,
  { weights, monitoringShare }: QueueRule,
): number {
  const before = all.get(participantOf(requester))?.waiting ?? 0;
  const checks = all.get('')?.waiting ?? 0;
  const weightOf = (tier: Tier | null) => weights[tier ?? 'free'];
  if (requester.source === 'monitor') {
    const people = sum(all.values()) - checks;
    return before + Math.min(people, shareOf(before, 1 - monitoringShare));
  }
  const rounds = Math.floor(before / weightOf(requester.tier)) + 1;
  let people = before;
  for (const [name, { tier, waiting }] of all) {
    if (name !== '' && name !== requester.userId) people += Math.min(waiting, weightOf(tier) * rounds);
  }
  return people + Math.min(checks, shareOf(people, monitoringShare));
}

/** The calls that one side has while the other has `calls`. */
function shareOf(calls: number, share: number): number {
  return share === 1 ? Number.POSITIVE_INFINITY : Math.floor((calls * share) / (1 - share));
}
