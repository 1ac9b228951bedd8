import type { Job } from '@casewatch/service-definition/define-service';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createPollingJob } from '@casewatch/service-kit/runtime/polling-job';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';

const EVERY_MS = 3_600_000;
const AFTER_FAILURE_MS = 60_000;

export interface VerifyAuditOptions {
  /** Verifies the audit trail as it is at one moment; says in lines what was found. Throws when `stopping` is aborted. */
  verify(say: (line: string) => void, stopping: AbortSignal): Promise<boolean>;
  meter: Meter;
  clock: Clock;
  logger: Logger;
}

/** Verifies the audit trail at the start and every hour, and measures whether it is broken. Any number of processes may run it. */
export function createVerifyAuditJob({ verify, meter, clock, logger }: VerifyAuditOptions): Job {
  let isUnbroken: boolean | undefined;
  readGauges(
    meter,
    { casewatch_audit_trail_broken: '1 if an entry of the audit trail was changed, removed or inserted.' },
    () => (isUnbroken === undefined ? {} : { casewatch_audit_trail_broken: isUnbroken ? 0 : 1 }),
  );
  return createPollingJob({
    name: 'verify-audit',
    clock,
    logger,
    retryMs: AFTER_FAILURE_MS,
    async pass({ stopping }) {
      const found: string[] = [];
      try {
        isUnbroken = await verify((line) => found.push(line), stopping);
      } catch (error) {
        if (stopping.aborted) return EVERY_MS;
        throw error;
      }
      if (!isUnbroken) logger.error({ found }, 'audit trail: broken');
      return EVERY_MS;
    },
  });
}
