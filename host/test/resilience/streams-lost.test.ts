import type { ProductProcess } from '@casewatch/dev-stack/processes/product-process';
import type { Mutation } from '@casewatch/testing/mutation';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { type RoundCompleted, whileChangesFlow } from '../faults/flow.ts';
import { WITHOUT_THE_RESUME_POINT } from '../faults/mutations.ts';
import { type FollowedStream, followStream } from '../faults/notification-stream.ts';
import { receiptOf } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R13: a status change reaches every open tab once, whatever becomes of the processes between the two. */

const USERS = 3;
/** Fewer than a user may have open, the ones that were just left included. */
const TABS_OF_A_USER = 3;
const CHANGES_OF_A_ROUND = 3;
const SEEN_WITHIN_MS = 60_000;
const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

let product: WatchedProduct;
let users: Awaited<ReturnType<typeof signUp>>[];
let tabs: FollowedStream[] = [];
let refused: string[] = [];
let lost = 0;
beforeAll(async () => {
  product = await startWatchedProduct({
    shape: 'kafka',
    alsoRoles: ['gateway', 'identity'],
    replicas: { gateway: 2, notifications: 2 },
    // All tabs are at one address.
    env: { RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000' },
  });
  users = await Promise.all(Array.from({ length: USERS }, (_, nth) => signUp(`user-${nth}@streams.test`)));
}, TEST_TIMEOUT_MS);
afterEach(async () => {
  await Promise.all(tabs.map((tab) => tab.end()));
});
afterAll(() => product.stop());

async function signUp(email: string) {
  const answer = await fetch(`${product.url}/api/auth/signup`, {
    method: 'POST',
    headers: UNSAFE,
    body: JSON.stringify({ email, password: 'long enough for this', firstName: 'Ada', lastName: 'Byron' }),
  });
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { id, cookie };
}

async function openTabs(): Promise<void> {
  refused = [];
  lost = 0;
  tabs = users.flatMap(({ cookie }) =>
    Array.from({ length: TABS_OF_A_USER }, () =>
      followStream(`${product.url}/api/notifications/stream`, cookie, (how, fault) => {
        if (fault === 'refused') refused.push(how);
        // A replica that stops, or is not there any more, has its tabs come back.
        if (fault === 'lost') lost += 1;
      }),
    ),
  );
  await allOpen();
}

const allOpen = () => mustCome('every tab has a stream', async () => tabs.every((tab) => tab.isOpen()));

/** Lets changes flow while `work` is done, and resolves to the receipt numbers that each tab lacks or has got again. */
async function failuresOfTabs(from: number, work: (roundCompleted: RoundCompleted) => Promise<void>) {
  const also = users.map(({ id }) => id);
  const rounds = await whileChangesFlow(product, { count: CHANGES_OF_A_ROUND, also, from }, work);
  const moved = rounds.map((_, nth) =>
    Array.from({ length: CHANGES_OF_A_ROUND }, (_, n) => receiptOf(from + nth, n)),
  );
  // A stream brings its changes in order: what comes before the last round is there, or missed.
  const newest = moved.at(-1) ?? [];
  await mustCome(
    'every tab has the last round',
    async () => tabs.every(({ received }) => newest.every((number) => received.includes(number))),
    SEEN_WITHIN_MS,
  );
  return tabs.map(({ received }) => ({
    missing: moved.flat().filter((number) => !received.includes(number)),
    again: received.filter((number, index) => received.indexOf(number) < index),
  }));
}

/** Every tab is closed while changes come, and all reconnect at the same moment. */
async function reconnectAtOnce(roundCompleted: RoundCompleted): Promise<void> {
  await Promise.all(tabs.map((tab) => tab.leave()));
  await roundCompleted();
  for (const tab of tabs) tab.comeBack();
  await allOpen();
  await roundCompleted();
}

/** The streams that the process held come back through the other one, before it is started again. */
async function killHolder(holder: ProductProcess | undefined, roundCompleted: RoundCompleted): Promise<void> {
  if (!holder) throw new Error('the role has no process');
  const before = lost;
  await holder.kill('SIGKILL');
  await mustCome(`streams of ${holder.name} are lost`, async () => lost > before);
  await allOpen();
  await holder.restart();
  await roundCompleted();
}

/** As a Deployment does it: the second replica goes when the first is back. */
async function roll(replicas: readonly ProductProcess[]): Promise<void> {
  for (const replica of replicas) {
    expect(await replica.stop(), `${replica.name} ended in order`).toBe(0);
    await replica.restart();
  }
}

test('R13: with streams’ gateways and replicas killed and rolled, and all tabs reconnecting at once, each tab has each change once', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await openTabs();
  const faults = await failuresOfTabs(1, async (roundCompleted) => {
    await killHolder(product.of('gateway')[0], roundCompleted);
    await killHolder(product.of('notifications')[0], roundCompleted);
    await reconnectAtOnce(roundCompleted);
    await Promise.all([roll(product.of('gateway')), roll(product.of('notifications'))]);
    await allOpen();
    await roundCompleted();
  });
  expect(faults).toEqual(tabs.map(() => ({ missing: [], again: [] })));
  expect(refused).toEqual([]);
});

/** Replaces both replicas of notifications by ones that lack something. */
async function replaceReplicas(mutations: readonly Mutation[]): Promise<void> {
  const replace = async (replica: ProductProcess) => {
    await replica.stop();
    await product.restart(replica, mutations);
  };
  await Promise.all(product.of('notifications').map(replace));
}

test('R13, shown able to fail: streams that do not resume where they ended lack the changes in between', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await replaceReplicas(WITHOUT_THE_RESUME_POINT);
  try {
    await openTabs();
    for (const { missing } of await failuresOfTabs(1_000, reconnectAtOnce)) expect(missing).not.toEqual([]);
  } finally {
    await replaceReplicas([]);
  }
});
