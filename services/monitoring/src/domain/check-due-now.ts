import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { adminActed } from '@casewatch/contracts/events';
import type { DueChecks } from '@casewatch/contracts/monitoring';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AdminCaller, AuditActor } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type Checking, checkDueWatches } from './check-due-watches.ts';

interface CheckDueNowDeps extends Checking {
  readonly batch: number;
  readonly clock: Clock;
  nextDueAt(): Promise<string | null>;
  /** Resolves to the seconds to wait where the administrator has started too many. */
  limit(administrator: string): Promise<number | undefined>;
  audit(started: number, actor: AuditActor): Promise<void>;
}

export type CheckDueNow = (
  by: Pick<AdminCaller, 'administratorId' | 'name'>,
  actor: AuditActor,
) => Promise<DueChecks>;

/**
 * Runs one pass of the scheduler for an administrator: due checks are claimed as the scheduler claims them, so each runs once even if both run at the same time.
 * @throws AppError RATE_LIMITED
 */
export function createCheckDueNow({
  batch,
  clock,
  nextDueAt,
  limit,
  audit,
  ...checking
}: CheckDueNowDeps): CheckDueNow {
  return async (by, actor) => {
    const retryAfterSeconds = await limit(by.administratorId ?? by.name);
    if (retryAfterSeconds !== undefined)
      throw new AppError('RATE_LIMITED', 'RATE_LIMITED', { retryAfterSeconds });
    const outcomes: DueChecks['outcomes'] = {};
    const count: Checking['count'] = (outcome, checks) => {
      checking.count(outcome, checks);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + checks;
    };
    const startedAt = new Date(clock.nowMs()).toISOString();
    // It ends by itself: cases answers within 4 s, and a client that leaves must not have checks abandoned.
    const { claimed } = await checkDueWatches({ ...checking, count }, batch, new AbortController().signal);
    await audit(claimed, actor);
    const endedAt = new Date(clock.nowMs()).toISOString();
    return { startedAt, endedAt, started: claimed, outcomes, nextDueAt: await nextDueAt() };
  };
}

/** Builds the audit entry of a batch on demand. */
export function toChecksStarted(started: number, actor: AuditActor): PayloadOf<typeof adminActed> {
  const details = { started: String(started) };
  return { action: 'checks.started', subject: 'checks', success: true, ...actor, details };
}
