import { randomBytes } from 'node:crypto';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSchemas } from '../../src/events-command/open-schemas.ts';
import { publishAgain } from '../../src/events-command/publish-again.ts';
import { registry } from '../../src/registry.ts';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { type Dump, dump, lose, restore } from '../faults/dump.ts';
import { openKafkaLag } from '../faults/kafka-lag.ts';
import { BEFORE_PUBLISHING } from '../faults/mutations.ts';
import { beginRound, type Round, type Verdict } from '../faults/rounds.ts';
import { mustCome, until } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** O5: the database is lost and comes back from a backup; what was in flight at its moment is neither lost nor doubled. */

const CASES = 20;
const KEPT: Verdict = { missing: 0, doubled: 0 };
const SHOWN_LOST_AFTER_MS = 10_000;

let product: WatchedProduct;
let stop: (() => Promise<void>)[];
let newTopics: () => Promise<string>;
beforeEach(async () => {
  stop = [];
  product = await startWatchedProduct({ shape: 'kafka' });
  stop.push(product.stop);
}, TEST_TIMEOUT_MS);
afterEach(async () => {
  for (const each of stop.toReversed()) await each();
});

const replica = (role: 'cases' | 'notifications') => {
  const [found] = product.of(role);
  if (!found) throw new Error(`${role} does not run`);
  return found;
};
const observedIn = async (count: number) =>
  (await product.waitingIn('cases')).filter(({ topic }) => topic === 'case-observed').length === count;

/** A backup while changes are everywhere: delivered, in Kafka only, and in an outbox only. */
async function backUpInTheMiddle(): Promise<{ backup: Dump; rounds: Round[] }> {
  const delivered = await beginRound(product, 1, CASES);
  expect(await product.settles(60_000)).toBe(true);
  await replica('notifications').stop();
  const inKafka = await beginRound(product, 2, CASES);
  await mustCome('its changes are sent', async () => {
    const rows = await product.database.query(
      `SELECT 1 FROM monitoring.outbox WHERE topic = 'status-changed' AND done_at IS NOT NULL`,
    );
    return rows.length === 4 * CASES;
  });
  await replica('cases').stop();
  await product.restart(replica('cases'), BEFORE_PUBLISHING);
  const inOutbox = await beginRound(product, 3, CASES);
  await mustCome('its cases are observed', () => observedIn(CASES));
  return { backup: await dump(product.database.ownerUrl), rounds: [delivered, inKafka, inOutbox] };
}

/** Everything was delivered, and more has happened, when the database is lost. */
async function goOnAndLose(rounds: readonly Round[]): Promise<void> {
  await replica('cases').stop();
  await product.restart(replica('cases'));
  await replica('notifications').restart();
  rounds = [...rounds, await beginRound(product, 4, CASES)];
  expect(await product.settles(60_000)).toBe(true);
  const all = await verdicts(rounds);
  expect(all, JSON.stringify([all, await product.whatFailed()])).toEqual(rounds.map(() => KEPT));
  await Promise.all(product.victims.map((victim) => victim.stop()));
  await lose(product.database.ownerUrl);
}

/** Topics under a name of their own: what the lost database had sent is not read again. */
async function startOnNewTopics(env: Record<string, string> = {}): Promise<() => Promise<boolean>> {
  const topicPrefix = `restored-${randomBytes(6).toString('hex')}.`;
  const lag = openKafkaLag({ brokers: await testKafkaBrokers(), topicPrefix });
  stop.push(lag.stop);
  newTopics = async () => (await lag.lag()).ends;
  await Promise.all(
    product.victims.map((victim) => victim.restart({ ...env, KAFKA_TOPIC_PREFIX: topicPrefix })),
  );
  stop.push(async () => {
    await Promise.all(product.victims.map((victim) => victim.stop()));
  });
  return async () => {
    const waiting = await Promise.all(registry.map(({ name }) => product.waitingIn(name)));
    return waiting.flat().length === 0 && (await lag.lag()).behind === 0;
  };
}

async function publishOutboxesAgain(): Promise<void> {
  const { schemas, close } = await openSchemas({ DATABASE_URL: product.database.ownerUrl }, registry);
  await publishAgain(schemas, () => undefined).finally(close);
}

const verdicts = (rounds: readonly Round[]) => Promise.all(rounds.map((round) => round.verdict()));

test('O5: restored into an empty database, outboxes and offsets continue: no user is missed, none is notified twice', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { backup, rounds } = await backUpInTheMiddle();
  await goOnAndLose(rounds);
  await restore(product.database.ownerUrl, backup);
  await publishOutboxesAgain();
  const settled = await startOnNewTopics();
  const goesOn = await beginRound(product, 5, CASES);
  await mustCome('what comes after it is delivered', async () => (await goesOn.progress()) === 1, 60_000);
  await mustCome('all is handled', settled, 60_000);
  expect(await verdicts([...rounds, goesOn])).toEqual([KEPT, KEPT, KEPT, KEPT]);
});

test('topics get more partitions: on new ones all is published again, nothing is missed and nothing sent twice', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { rounds } = await backUpInTheMiddle();
  await replica('cases').stop();
  await product.restart(replica('cases'));
  await Promise.all(product.victims.map((victim) => victim.stop()));
  await publishOutboxesAgain();
  const settled = await startOnNewTopics({ KAFKA_PARTITIONS: '5' });
  const goesOn = await beginRound(product, 5, CASES);
  await mustCome('what comes after it is delivered', async () => (await goesOn.progress()) === 1, 60_000);
  await mustCome('all is handled', settled, 60_000);
  expect(await verdicts([...rounds, goesOn])).toEqual([KEPT, KEPT, KEPT, KEPT]);
  const ends = /case-observed\/(\d+)/g;
  expect(new Set([...(await newTopics()).matchAll(ends)].map(([, partition]) => partition)).size).toBe(5);
});

test('O5, shown able to fail: without sending again what the backup had sent, its changes in flight are lost', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { backup, rounds } = await backUpInTheMiddle();
  await goOnAndLose(rounds);
  await restore(product.database.ownerUrl, backup);
  await startOnNewTopics();
  const all = async () => (await verdicts(rounds)).every(({ missing }) => missing === 0);
  expect(await until(SHOWN_LOST_AFTER_MS, all)).toBe(false);
  expect((await verdicts(rounds)).map(({ missing }) => missing)).toEqual([0, 2 * CASES, 0]);
});

test('O5, shown able to fail: on the old topics, read again, users are notified twice', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const { backup, rounds } = await backUpInTheMiddle();
  await goOnAndLose(rounds);
  await restore(product.database.ownerUrl, backup);
  await product.kafka?.rewind();
  await Promise.all(product.victims.map((victim) => product.restart(victim)));
  expect(await product.settles(60_000)).toBe(true);
  expect((await verdicts(rounds)).at(-1)?.doubled).toBe(2 * CASES);
});
