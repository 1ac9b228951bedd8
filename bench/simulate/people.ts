import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type AgencyCalls, type CallOutcome, NO_LOOKUP } from './agency-calls.ts';
import { LOOKUPS_A_DAY, SCRIPT_PER_SECOND } from './steady-wait.ts';
import { DAY_MS } from './watches.ts';

/** What people of one kind got of the agency, while it was measured. */
export interface Served {
  readonly kind: 'free' | 'pro' | 'script';
  readonly asked: number;
  readonly called: number;
  readonly busy: number;
  readonly spent: number;
  readonly p50WaitMs: number;
  readonly p95WaitMs: number;
}

export interface People {
  /** When the next one asks. */
  nextMs(): number;
  advance(): void;
  /** Counts only while it is true. */
  measure(on: boolean): void;
  served(): Served[];
  /** Jain's index of the share of their lookups that free users got: 1 when all got the same. */
  fairness(): number;
}

const PRO_SHARE = 0.1;
const WAIT_MS = 4_000;
/** Between night and noon, the rate of lookups varies by this much of its mean. */
const DAY_SWING = 0.8;
const MAX_WAITS = 1_000_000;

type Kind = Served['kind'];

export function createPeople(options: {
  users: number;
  calls: AgencyCalls;
  clock: Clock;
  random: () => number;
}): People {
  const { users, calls, clock, random } = options;
  const meanGapMs = DAY_MS / (users * LOOKUPS_A_DAY);
  const asked = new Uint16Array(users);
  const got = new Uint16Array(users);
  const counts = new Map<
    Kind,
    { asked: number; called: number; busy: number; spent: number; waits: number[] }
  >(
    (['free', 'pro', 'script'] as const).map((kind) => [
      kind,
      { asked: 0, called: 0, busy: 0, spent: 0, waits: [] },
    ]),
  );
  let measuring = false;
  let nextScriptMs = clock.nowMs();
  let nextLookupMs = clock.nowMs() + gapMs();

  function gapMs(): number {
    const swing = 1 + DAY_SWING * Math.sin((2 * Math.PI * (clock.nowMs() % DAY_MS)) / DAY_MS);
    return (-Math.log(1 - random()) * meanGapMs) / swing;
  }

  function ask(kind: Kind, userId: string, tier: Tier, user?: number): void {
    const counted = measuring ? counts.get(kind) : undefined;
    if (counted) counted.asked += 1;
    if (counted && user !== undefined) asked[user] = (asked[user] ?? 0) + 1;
    const requester = { source: 'user' as const, userId, name: '', tier, lookup: NO_LOOKUP };
    calls.ask(requester, WAIT_MS, (outcome: CallOutcome) => {
      if (!counted) return;
      if (outcome.kind === 'refused') {
        counted[outcome.reason] += 1;
        return;
      }
      counted.called += 1;
      if (counted.waits.length < MAX_WAITS) counted.waits.push(outcome.waitedMs);
      if (user !== undefined) got[user] = (got[user] ?? 0) + 1;
    });
  }

  return {
    nextMs: () => Math.min(nextScriptMs, nextLookupMs),
    advance() {
      const now = clock.nowMs();
      if (nextScriptMs <= now) {
        ask('script', 'script', 'free');
        nextScriptMs = now + 1_000 / SCRIPT_PER_SECOND;
      }
      if (nextLookupMs <= now) {
        const user = Math.floor(random() * users);
        const tier = user < users * PRO_SHARE ? 'pro' : 'free';
        ask(tier, String(user), tier, user);
        nextLookupMs = now + gapMs();
      }
    },
    measure(on) {
      measuring = on;
    },
    served: () =>
      [...counts].map(([kind, { waits, ...count }]) => {
        const sorted = Float64Array.from(waits).sort();
        const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
        return { kind, ...count, p50WaitMs: at(0.5), p95WaitMs: at(0.95) };
      }),
    fairness() {
      let [sum, squares, people] = [0, 0, 0];
      for (let user = Math.ceil(users * PRO_SHARE); user < users; user++) {
        const lookups = asked[user] ?? 0;
        if (lookups === 0) continue;
        const share = (got[user] ?? 0) / lookups;
        sum += share;
        squares += share ** 2;
        people += 1;
      }
      return squares === 0 ? 0 : sum ** 2 / (people * squares);
    },
  };
}
