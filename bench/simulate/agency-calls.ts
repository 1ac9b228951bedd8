import { BudgetRefusal } from '@casewatch/cases/agency/budget-refusal';
import type { DayQuota } from '@casewatch/cases/agency/day-quota';
import type { BudgetCaller } from '@casewatch/cases/domain/agency';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createCallPace } from '@casewatch/shared-state/call-queues/call-pace';
import type { CallRule } from '@casewatch/shared-state/call-queues/call-queue';
import { callsAhead, createFairQueue } from '@casewatch/shared-state/call-queues/fair-queue';

export type CallOutcome =
  | { readonly kind: 'called'; readonly waitedMs: number }
  | { readonly kind: 'refused'; readonly reason: 'busy' | 'spent'; readonly retryAfterMs: number };

/** The agency's calls of the simulation: the product's fair queue and day quota, and one free permit after the other. */
export interface AgencyCalls {
  ask(caller: BudgetCaller, weight: number, withinMs: number, done: (outcome: CallOutcome) => void): void;
  /** When something is to be granted or refused; infinite while nothing waits. */
  nextMs(): number;
  /** Grants and refuses what the clock says. */
  advance(): Promise<void>;
}

interface Waiting {
  readonly id: number;
  readonly caller: BudgetCaller;
  readonly sinceMs: number;
  readonly deadlineMs: number;
  readonly done: (outcome: CallOutcome) => void;
}

export function createAgencyCalls({
  clock,
  quota,
  rule,
}: {
  clock: Clock;
  quota: DayQuota;
  rule: Pick<CallRule, 'calls' | 'windowMs' | 'scheduledShare'>;
}): AgencyCalls {
  const queue = createFairQueue({ share: rule.scheduledShare, lead: rule.scheduledShare * rule.calls });
  const pace = createCallPace(clock, rule);
  const intervalMs = rule.windowMs / rule.calls;
  const waiting = new Map<number, Waiting>();
  const waitingOf = new Map<string, number>();
  let lastId = 0;
  let freeAtMs = Number.NEGATIVE_INFINITY;

  const nameOf = (caller: BudgetCaller) => (caller.source === 'user' ? caller.userId : '');
  const msFor = (calls: number) => Math.floor(calls / rule.calls) * rule.windowMs;

  function end(ticket: Waiting, outcome: CallOutcome): void {
    waiting.delete(ticket.id);
    const name = nameOf(ticket.caller);
    const left = (waitingOf.get(name) ?? 1) - 1;
    if (left > 0) waitingOf.set(name, left);
    else waitingOf.delete(name);
    ticket.done(outcome);
  }

  /** As the product's call queue says it: when this participant can expect a call. */
  function busy(name: string, weight: number, own: number): CallOutcome {
    const ahead = callsAhead(queue.depth(), {
      ...{ own, before: own, weight, scheduled: name === '', share: rule.scheduledShare },
    });
    return { kind: 'refused', reason: 'busy', retryAfterMs: msFor(ahead) };
  }

  function refuseTheLate(now: number): void {
    for (const ticket of waiting.values()) {
      if (ticket.deadlineMs > now) continue;
      queue.leave(ticket.id);
      const name = nameOf(ticket.caller);
      end(ticket, busy(name, 1, waitingOf.get(name) ?? 0));
    }
  }

  return {
    ask(caller, weight, withinMs, done) {
      const name = nameOf(caller);
      const own = waitingOf.get(name) ?? 0;
      try {
        quota.check(caller);
      } catch (error) {
        return done(refusal(error));
      }
      if (msFor(own) > withinMs) return done(busy(name, weight, own));
      lastId += 1;
      const now = clock.nowMs();
      waiting.set(lastId, { id: lastId, caller, sinceMs: now, deadlineMs: now + withinMs, done });
      waitingOf.set(name, own + 1);
      queue.enter({ id: lastId, participant: name, weight });
    },
    nextMs: () => (waiting.size === 0 ? Number.POSITIVE_INFINITY : Math.max(freeAtMs, clock.nowMs())),
    async advance() {
      const now = clock.nowMs();
      refuseTheLate(now);
      while (freeAtMs <= now) {
        const id = queue.next(pace);
        const ticket = id === undefined ? undefined : waiting.get(id);
        if (!ticket) {
          // What waits is paced.
          if (waiting.size > 0) freeAtMs = now + Math.max(1, pace.msUntilDue());
          return;
        }
        try {
          await quota.spend(ticket.caller);
          freeAtMs = Math.max(freeAtMs, now - intervalMs) + intervalMs;
          end(ticket, { kind: 'called', waitedMs: now - ticket.sinceMs });
        } catch (error) {
          end(ticket, refusal(error));
        }
      }
    },
  };
}

function refusal(error: unknown): CallOutcome {
  if (!(error instanceof BudgetRefusal)) throw error;
  return { kind: 'refused', reason: 'spent', retryAfterMs: error.retryAfterMs };
}
