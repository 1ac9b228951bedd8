import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EmbeddedPostgresOptions } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { startSupervisedPostgres } from '@casewatch/dev-stack/postgres/supervised-postgres';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'casewatch-supervised-'));
  writeFileSync(path.join(dataDir, 'PG_VERSION'), '18');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** A supervised server that starts while `works` says so; `end` has the one that runs end by itself. */
async function supervise() {
  const clock = createManualClock();
  const begunMs = clock.nowMs();
  const starts: { atMs: number; port: number | undefined }[] = [];
  const abandoned: string[] = [];
  const state = { works: true, stopped: 0, end: (_said: string): void => undefined };
  const supervised = await startSupervisedPostgres({
    dataDir,
    password: 'secret',
    clock,
    logger: pino({ level: 'silent' }),
    onAbandoned: ({ message }) => abandoned.push(message),
    startOnce: async ({ port, onUnexpectedExit }: EmbeddedPostgresOptions) => {
      starts.push({ atMs: clock.nowMs() - begunMs, port });
      if (!state.works) throw new Error('no memory');
      state.end = (output) => onUnexpectedExit?.(output);
      return {
        ownerUrl: 'postgres://owner@127.0.0.1:5432/casewatch',
        port: 5432,
        stop: async () => {
          state.stopped += 1;
        },
      };
    },
  });
  return { clock, starts, abandoned, state, supervised };
}

test('a server that ends is started again at once, on the same port, and then with longer and longer waits', async () => {
  const { clock, starts, abandoned, state } = await supervise();
  state.works = false;
  state.end('killed');
  await clock.advance(60_000);
  const waits = [0, 0, 250, 750, 1_750, 3_750, 7_750];
  expect(starts).toEqual(waits.map((atMs, nth) => ({ atMs, port: nth === 0 ? undefined : 5432 })));
  expect(abandoned).toEqual(['The database ended and could not be restarted in 6 tries: no memory']);
});

test.each([
  [60_000, 0],
  [60_001, 6],
])('tries add up until a server has run for a minute: after %i ms %i more are made', async (ranMs, more) => {
  const { clock, starts, abandoned, state } = await supervise();
  for (let nth = 0; nth < 6; nth += 1) {
    state.end('killed');
    await clock.advance(10_000);
  }
  expect([starts.length, abandoned]).toEqual([7, []]);
  // The last one was started 4 s after it was needed.
  await clock.advance(ranMs - 6_000);
  for (let nth = 0; nth <= more; nth += 1) {
    expect(abandoned).toEqual([]);
    state.end('killed again');
    await clock.advance(5_000);
  }
  expect(starts).toHaveLength(7 + more);
  expect(abandoned).toEqual(['The database ended and could not be restarted in 6 tries: killed again']);
});

test('a stop ends the wait for the next try, and the server that runs', async () => {
  const { clock, starts, abandoned, state, supervised } = await supervise();
  state.works = false;
  state.end('killed');
  await clock.advance(100);
  expect(starts).toHaveLength(2);
  await supervised.stop();
  await clock.advance(60_000);
  expect([starts.length, state.stopped, abandoned]).toEqual([2, 1, []]);
});

test('no new cluster is made in place of one whose files were deleted', async () => {
  const { clock, starts, abandoned, state } = await supervise();
  rmSync(path.join(dataDir, 'PG_VERSION'));
  state.end('killed');
  await clock.advance(60_000);
  expect(starts).toHaveLength(1);
  expect(abandoned).toEqual([
    `The database ended and could not be restarted in 6 tries: The database files are missing from ${dataDir}`,
  ]);
});
