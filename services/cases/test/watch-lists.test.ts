import { caseWatchesListed, userDeleted } from '@casewatch/contracts/events';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { publishNextList } from '../src/data/publish-watch-lists.ts';
import { type CasesFixture, PAT, startCases } from './cases-fixture.ts';
import { emptyLists, ONE, THREE, TWO } from './workspace-fixture.ts';

const DAY_MS = 86_400_000;

let cases: CasesFixture;
let publishNext: () => Promise<boolean>;
beforeAll(async () => {
  cases = await startCases();
  const pool = cases.database.openPool('cases', 2);
  const bus = createOutboxPublisher({ clock: cases.clock });
  publishNext = () => publishNextList(pool, bus, cases.clock.nowMs());
});
afterAll(() => cases.stop());
beforeEach(async () => {
  await emptyLists(cases);
  await cases.database.query('TRUNCATE cases.watch_lists');
});

/** Everything that was published is delivered. */
const deliver = () => cases.database.query('UPDATE cases.outbox SET done_at = now() WHERE done_at IS NULL');
const lists = () => cases.eventsOf(caseWatchesListed);
const userOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

test('a list has all that runs, with the versions of the requests, and is above them', async () => {
  await cases.move(ONE, 'Case Was Received');
  await cases.lookUp(ONE);
  for (const number of [ONE, TWO, THREE]) await cases.save(number, PAT, { monitoringFrequency: 'daily' });
  await cases.change(ONE, { monitoringFrequency: 'weekly' }, PAT);
  await cases.change(TWO, { archived: true }, PAT);
  await deliver();
  expect(await publishNext()).toBe(true);
  const [list] = await lists();
  expect([list?.userId, list?.from, list?.before]).toEqual([PAT.userId, undefined, undefined]);
  expect(list?.watches.map(({ receiptNumber, frequency }) => [receiptNumber, frequency])).toEqual([
    [ONE, 'weekly'],
    [THREE, 'daily'],
  ]);
  const [first] = list?.watches ?? [];
  expect(first?.beginning?.shown?.status).toBe('Case Was Received');
  expect(BigInt(first?.version ?? 0)).toBeGreaterThan(BigInt(first?.beginning?.version ?? 0));
  for (const { version } of list?.watches ?? [])
    expect(BigInt(list?.version ?? 0)).toBeGreaterThan(BigInt(version));
});

test('a user who watches no more is listed as well, and each of those who ever did within a week', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.remove(ONE, PAT);
  await deliver();
  expect(await publishNext()).toBe(true);
  expect(await lists()).toMatchObject([{ userId: PAT.userId, watches: [] }]);
  await deliver();
  await cases.clock.advance(5 * DAY_MS);
  expect(await publishNext()).toBe(false);
  await cases.clock.advance(DAY_MS);
  expect(await publishNext()).toBe(true);
});

test('no list is published while another event waits', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  expect(await publishNext()).toBe(false);
  await deliver();
  expect(await publishNext()).toBe(true);
});

test('a long list comes in pages that leave no gap', async () => {
  await cases.save(ONE, PAT, { monitoringFrequency: 'daily' });
  await cases.database.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, monitoring_frequency, created_at, watch_version, began_version)
     SELECT gen_random_uuid(), $1, 'SRC' || lpad(n::text, 10, '0'), 'daily', now(), 1, 1 FROM generate_series(1, 1100) AS n`,
    [PAT.userId],
  );
  await deliver();
  await publishNext();
  const pages = await lists();
  expect(pages.map(({ watches }) => watches.length)).toEqual([500, 500, 101]);
  expect(pages.map(({ from }) => from)).toEqual([undefined, 'SRC0000000500', 'SRC0000001000']);
  expect(pages.map(({ before }) => before)).toEqual(['SRC0000000500', 'SRC0000001000', undefined]);
  expect(pages[1]?.watches[0]?.receiptNumber).toBe(pages[1]?.from);
  expect(new Set(pages.map(({ version }) => version)).size).toBe(1);
});

test('all processes together publish at most twenty lists a second', async () => {
  await cases.database.query(
    `INSERT INTO cases.watch_lists (user_id) SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid FROM generate_series(1, 60) AS n`,
  );
  while ((await lists()).length < 60) {
    await Promise.all([publishNext(), publishNext(), publishNext()]);
    await deliver();
    await cases.clock.advance(20);
  }
  const rows = await cases.database.query<{ at: number }>(
    `SELECT (extract(epoch FROM listed_at) * 1000)::float8 AS at FROM cases.watch_lists ORDER BY listed_at`,
  );
  const [first = { at: 0 }] = rows;
  const ofTwentyOne = rows.slice(20).map(({ at }, nth) => at - (rows[nth] ?? first).at);
  expect(Math.min(...ofTwentyOne)).toBeGreaterThanOrEqual(1_000);
  const users = (await lists()).map(({ userId }) => userId);
  expect(new Set(users).size, 'each user once').toBe(users.length);
});

test('a deleted user is listed no more', async () => {
  await cases.save(ONE, { ...PAT, userId: userOf(7) }, { monitoringFrequency: 'daily' });
  await cases.deliver(userDeleted, { userId: userOf(7) });
  await deliver();
  expect(await publishNext()).toBe(false);
  expect(await cases.database.query('SELECT * FROM cases.watch_lists')).toEqual([]);
});
