import { createManualClock } from '@casewatch/testing/manual-clock';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createVerifyAuditJob } from './verify-audit-job.ts';

const HOUR = 3_600_000;

test('the audit trail is verified at the start and every hour; the gauge and the log say that it is broken', async () => {
  const clock = createManualClock();
  const lines: string[] = [];
  const telemetry = await startScraped();
  let found: boolean | Error = true;
  const job = createVerifyAuditJob({
    clock,
    meter: telemetry.meter,
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    async verify(say) {
      if (found instanceof Error) throw found;
      say('what was found');
      return found;
    },
  });
  const gauge = async () => (await telemetry.scrape()).casewatch_audit_trail_broken;
  expect(await gauge(), 'before it is known').toBeUndefined();
  job.start();
  await clock.advance(0);
  expect(await gauge()).toBe(0);
  expect(lines).toEqual([]);
  found = false;
  await clock.advance(HOUR);
  expect(await gauge()).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'audit trail: broken', found: ['what was found'] });
  found = new Error('no database');
  await clock.advance(HOUR);
  expect(await gauge(), 'what was found last').toBe(1);
  await job.stop();
  await telemetry.stop();
});

test('a stop waits for no more than the batch that is being verified', async () => {
  const clock = createManualClock();
  const telemetry = await startScraped();
  const lines: string[] = [];
  let stopped: Promise<void> | undefined;
  const job = createVerifyAuditJob({
    clock,
    meter: telemetry.meter,
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    async verify(_say, stopping) {
      stopped = job.stop();
      stopping.throwIfAborted();
      return true;
    },
  });
  job.start();
  await clock.advance(0);
  await stopped;
  expect(lines).toEqual([]);
  await telemetry.stop();
});
