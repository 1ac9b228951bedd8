import { setImmediate } from 'node:timers/promises';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createExpiredSessionsJob } from './remove-expired-sessions-job.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FULL = 1_000;

/** The job over tables from which as many rows are removed at a time as the test says. */
function startJob(removed: { sessions: number[]; mails: number[]; passkeys: number[] }, onBatch = () => {}) {
  const clock = createManualClock();
  const calls: string[] = [];
  const remover = (table: keyof typeof removed) => ({
    async removeExpired(nowMs: number, limit: number) {
      expect([nowMs, limit]).toEqual([clock.nowMs(), FULL]);
      calls.push(table);
      onBatch();
      return removed[table].shift() ?? 0;
    },
  });
  const store = {
    adminSessions: {
      async removeEnded(beforeMs: number) {
        expect(beforeMs).toBe(clock.nowMs() - 30 * DAY_MS);
        calls.push('adminSessions');
      },
    },
    sessions: remover('sessions'),
    mails: remover('mails'),
    passkeys: remover('passkeys'),
  };
  const job = createExpiredSessionsJob({ store, clock, logger: pino({ level: 'silent' }) });
  job.start();
  return { clock, calls, job };
}

test('a pass continues until a batch is not full, and the next one begins ten minutes later', async () => {
  const { clock, calls, job } = startJob({
    sessions: [FULL, FULL - 1],
    mails: [FULL + 1, FULL, FULL - 1],
    passkeys: [FULL, FULL, 0],
  });
  await setImmediate();
  const pass = ['adminSessions', 'sessions', 'sessions', 'mails', 'mails', 'mails'];
  expect(calls.splice(0)).toEqual([...pass, 'passkeys', 'passkeys', 'passkeys']);
  await clock.advance(10 * MINUTE_MS - 1);
  expect(calls).toEqual([]);
  await clock.advance(1);
  expect(calls).toEqual(['adminSessions', 'sessions', 'mails', 'passkeys']);
  await job.stop();
});

test('a stop lets no further batch of a table begin', async () => {
  const full = () => Array<number>(5).fill(FULL);
  const { calls, job } = startJob({ sessions: full(), mails: full(), passkeys: full() }, () => {
    void job.stop();
  });
  await setImmediate();
  expect(calls).toEqual(['adminSessions', 'sessions', 'mails', 'passkeys']);
});
