import { type CallRule, createCallPace } from '@casewatch/cases/caller/call-slots';
import type { DayQuota } from '@casewatch/cases/caller/day-quota';
import { createFairOrder } from '@casewatch/cases/caller/fair-order';
import type { Lookup, Requester } from '@casewatch/cases/domain/lookup';
import { callsAhead } from '@casewatch/cases/domain/queue-estimate';
import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';

export type CallOutcome =
  | { readonly kind: 'called'; readonly waitedMs: number }
  | { readonly kind: 'refused'; readonly reason: 'busy' | 'spent'; readonly retryAfterMs: number };

/** The agency's calls of the simulation: the product's fair order and day quota, and one free permit after the other. */
export interface AgencyCalls {
  ask(requester: Requester, withinMs: number, done: (outcome: CallOutcome) => void): void;
  /** When something is to be granted or refused; infinite while nothing waits. */
  nextMs(): number;
  /** Grants and refuses what the clock says. */
  advance(): Promise<void>;
}

/** The lookups of the simulation are not logged. */
export const NO_LOOKUP: Lookup = {
  id: '00000000-0000-4000-8000-000000000000',
  origin: 'single',
  requestId: undefined,
  traceId: undefined,
  startedAtMs: 0,
};

interface Waiting {
  readonly id: string;
  readonly requester: Requester;
  readonly sinceMs: number;
  readonly deadlineMs: number;
  readonly done: (outcome: CallOutcome) => void;
}

export function createAgencyCalls({
  clock,
  quota,
  rule,
  weights,
}: {
  clock: Clock;
  quota: DayQuota;
  rule: Pick<CallRule, 'calls' | 'windowMs' | 'scheduledShare'>;
  weights: Readonly<Record<Tier, number>>;
}): AgencyCalls {
  const order = createFairOrder({ share: rule.scheduledShare, lead: rule.scheduledShare * rule.calls });
  const pace = createCallPace(clock.nowMs, rule);
  const intervalMs = rule.windowMs / rule.calls;
  const queueRule = { callsPerSecond: rule.calls, monitoringShare: rule.scheduledShare, weights };
  const waiting = new Map<string, Waiting>();
  const waitingOf = new Map<string, { tier: Tier | null; waiting: number }>();
  let lastId = 0;
  let freeAtMs = Number.NEGATIVE_INFINITY;

  const nameOf = (requester: Requester) => (requester.source === 'user' ? requester.userId : '');
  const msFor = (calls: number) => Math.floor(calls / rule.calls) * rule.windowMs;

  function end(ticket: Waiting, outcome: CallOutcome): void {
    waiting.delete(ticket.id);
    const name = nameOf(ticket.requester);
    const own = waitingOf.get(name);
    if (own) own.waiting -= 1;
    if (own?.waiting === 0) waitingOf.delete(name);
    ticket.done(outcome);
  }

  /** As the product's estimate says it: when this participant can expect a call. */
  function busy(requester: Requester): CallOutcome {
    return {
      kind: 'refused',
      reason: 'busy',
      retryAfterMs: msFor(callsAhead(waitingOf, requester, queueRule)),
    };
  }

  function refuseTheLate(now: number): void {
    for (const ticket of waiting.values()) {
      if (ticket.deadlineMs > now) continue;
      order.leave(ticket.id);
      end(ticket, busy(ticket.requester));
    }
  }

  return {
    ask(requester, withinMs, done) {
      const name = nameOf(requester);
      const tier = requester.source === 'user' ? requester.tier : null;
      const own = waitingOf.get(name) ?? { tier, waiting: 0 };
      const spentMs = quota.msUntilCall(requester);
      if (spentMs > 0) return done(spent(spentMs));
      if (msFor(own.waiting) > withinMs) return done(busy(requester));
      lastId += 1;
      const id = String(lastId);
      const now = clock.nowMs();
      waiting.set(id, { id, requester, sinceMs: now, deadlineMs: now + withinMs, done });
      own.waiting += 1;
      waitingOf.set(name, own);
      order.enter({ id, participant: name, weight: tier ? weights[tier] : 1, joinedMs: now });
    },
    nextMs: () => (waiting.size === 0 ? Number.POSITIVE_INFINITY : Math.max(freeAtMs, clock.nowMs())),
    async advance() {
      const now = clock.nowMs();
      refuseTheLate(now);
      while (freeAtMs <= now) {
        const id = order.next(pace);
        const ticket = id === undefined ? undefined : waiting.get(id);
        if (!ticket) {
          // What waits is paced.
          if (waiting.size > 0) freeAtMs = now + Math.max(1, pace.msUntilDue());
          return;
        }
        const spentMs = quota.msUntilCall(ticket.requester);
        if (spentMs > 0) {
          end(ticket, spent(spentMs));
          continue;
        }
        await quota.spend(ticket.requester);
        freeAtMs = Math.max(freeAtMs, now - intervalMs) + intervalMs;
        end(ticket, { kind: 'called', waitedMs: now - ticket.sinceMs });
      }
    },
  };
}

function spent(retryAfterMs: number): CallOutcome {
  return { kind: 'refused', reason: 'spent', retryAfterMs };
}
