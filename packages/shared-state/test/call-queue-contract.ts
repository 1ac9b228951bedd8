import {
  type CallQueue,
  CallRefusal,
  type Participant,
} from '@casewatch/shared-state/call-queues/call-queue';
import { afterEach, expect, test } from 'vitest';

export interface QueueUnderTest {
  readonly queue: CallQueue;
  /** Moves the time of the queue, in which every answer is waited for. */
  pass(ms: number): Promise<void>;
}

export const user = (id: string, weight = 1): Participant => ({ kind: 'user', id, weight });
export const SCHEDULED: Participant = { kind: 'scheduled' };
const ADA = user('ada');

/** Uses up the window of a single call, then has each of `who` wait, and returns in which order they are served. */
export async function orderOf(
  { queue, pass }: QueueUnderTest,
  who: readonly (readonly [string, Participant])[],
): Promise<string[]> {
  (await queue.take(user('first of all'), 0)).done();
  const order: string[] = [];
  for (const [name, participant] of who) {
    void queue.take(participant, 60_000).then((lease) => {
      order.push(name);
      lease.done();
    });
  }
  for (const _ of who) await pass(1_050);
  return order;
}

export const CHECKS_BESIDE_A_HEAVY_USER = [
  ['check 1', SCHEDULED],
  ['check 2', SCHEDULED],
  ['heavy 1', user('heavy')],
  ['heavy 2', user('heavy')],
  ['heavy 3', user('heavy')],
] as const;

/** What every queue of calls promises to its callers. */
export function callQueueContract(
  open: (rule: { calls?: number; scheduledShare?: number }) => Promise<QueueUnderTest>,
): void {
  let opened: QueueUnderTest;
  afterEach(() => opened.queue.stop());

  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'granted',
      (refusal) => (refusal instanceof CallRefusal ? 'refused' : refusal),
    );

  test('there are no more calls at once than allowed, and the next one is a second after an answer', async () => {
    opened = await open({ calls: 3 });
    const { queue, pass } = opened;
    const leases = [await queue.take(ADA, 0), await queue.take(ADA, 0), await queue.take(ADA, 0)];
    let granted = 0;
    const late = queue.take(ADA, 60_000).then(() => {
      granted += 1;
    });
    await pass(1_100);
    expect(granted).toBe(0);
    leases[1]?.done();
    leases[1]?.done();
    // A server's clock goes on besides, by what the test takes.
    await pass(500);
    expect(granted).toBe(0);
    await pass(600);
    await late;
    expect(await outcome(queue.take(SCHEDULED, 0))).toBe('refused');
  });

  test('a call that never ends counts as ended after two seconds', async () => {
    opened = await open({ calls: 1 });
    await opened.queue.take(ADA, 0);
    const late = outcome(opened.queue.take(ADA, 4_000));
    await opened.pass(1_900);
    await opened.pass(2_000);
    expect(await late).toBe('granted');
  });

  test('a permit that was not used is free at once', async () => {
    opened = await open({ calls: 1 });
    const unused = await opened.queue.take(ADA, 0);
    const next = outcome(opened.queue.take(ADA, 60_000));
    unused.release();
    unused.done();
    await opened.pass(100);
    expect(await next).toBe('granted');
  });

  test('a wait that is certain to be too long is refused at once, with a time to come back that is not too late', async () => {
    opened = await open({ calls: 1 });
    (await opened.queue.take(ADA, 0)).done();
    const refusal = await opened.queue.take(ADA, 900).catch((reason: unknown) => reason);
    expect(refusal).toBeInstanceOf(CallRefusal);
    const { retryAfterMs } = refusal as CallRefusal;
    expect(retryAfterMs).toBeGreaterThan(900);
    expect(retryAfterMs).toBeLessThan(1_100);
  });

  test('a user with few calls is not refused for those of a user with many', async () => {
    opened = await open({ calls: 1 });
    const { queue, pass } = opened;
    const call = (id: string) => outcome(queue.take(user(id), 4_000).then((lease) => lease.done()));
    await call('heavy');
    const heavy = Array.from({ length: 30 }, () => call('heavy'));
    const light = call('light');
    for (let second = 0; second < 5; second += 1) await pass(1_050);
    expect(await light).toBe('granted');
    expect(await Promise.all(heavy)).toContain('refused');
  });

  test('users take turns, each in the order in which it asked', async () => {
    opened = await open({ calls: 1 });
    const heavy = user('heavy');
    expect(
      await orderOf(opened, [
        ['heavy 1', heavy],
        ['heavy 2', heavy],
        ['heavy 3', heavy],
        ['ada', ADA],
        ['bob', user('bob')],
      ]),
    ).toEqual(['heavy 1', 'ada', 'bob', 'heavy 2', 'heavy 3']);
  });

  test('a user of twice the weight has two calls in a round', async () => {
    opened = await open({ calls: 1 });
    const pro = user('pro', 2);
    expect(
      await orderOf(opened, [
        ['free 1', ADA],
        ['free 2', ADA],
        ['pro 1', pro],
        ['pro 2', pro],
        ['pro 3', pro],
      ]),
    ).toEqual(['free 1', 'pro 1', 'free 2', 'pro 2', 'pro 3']);
  });

  test('scheduled work has its share while users wait', async () => {
    opened = await open({ calls: 1 });
    // A newcomer may go first; the heavy user's other calls come when checks have had their share.
    expect(await orderOf(opened, CHECKS_BESIDE_A_HEAVY_USER)).toEqual([
      'heavy 1',
      'check 1',
      'check 2',
      'heavy 2',
      'heavy 3',
    ]);
  });

  test('scheduled work that is always due leaves a user waiting for the longest gap between its calls at most', async () => {
    opened = await open({ calls: 10 });
    // Granted late, as by a server whose clock goes on while the test is slow, three calls come at once and their permits
    // become free at once: 350 ms apart, and 50 ms until the process asks again.
    const passes = (350 + 50) / 50;
    const { queue, pass } = opened;
    const keepChecking = async () => {
      for (;;) (await queue.take(SCHEDULED, 60_000)).done();
    };
    for (let nth = 0; nth < 15; nth += 1) keepChecking().catch(() => undefined);
    for (let nth = 0; nth < 24; nth += 1) await pass(50);
    for (const name of ['ada', 'bob', 'cleo']) {
      let granted = false;
      void queue.take(user(name), 60_000).then((lease) => {
        granted = true;
        lease.done();
      });
      for (let nth = 0; nth < passes && !granted; nth += 1) await pass(50);
      expect(granted).toBe(true);
    }
  });

  test('a user with no others waiting has all that is free at once', async () => {
    opened = await open({ calls: 5 });
    const { queue, pass } = opened;
    let granted = 0;
    for (let nth = 0; nth < 8; nth += 1)
      void queue.take(ADA, 60_000).then(
        () => {
          granted += 1;
        },
        () => undefined,
      );
    await pass(0);
    expect(granted).toBe(5);
  });

  test('a caller that gives up leaves its turn to the next', async () => {
    opened = await open({ calls: 1 });
    const { queue, pass } = opened;
    (await queue.take(ADA, 0)).done();
    const leaving = new AbortController();
    const given = outcome(queue.take(user('bob'), 60_000, leaving.signal));
    const next = outcome(queue.take(ADA, 1_500));
    await pass(10);
    leaving.abort('gone');
    expect(await given).toBe('gone');
    await pass(1_100);
    expect(await next).toBe('granted');
    expect(queue.depth()).toEqual({ user: 0, scheduled: 0 });
  });

  test('a pause holds every caller back; a shorter one does not shorten it', async () => {
    opened = await open({});
    const { queue, pass } = opened;
    queue.pause(5_000);
    queue.pause(1_000);
    await pass(0);
    expect(await outcome(queue.take(ADA, 2_000))).toBe('refused');
    const patient = outcome(queue.take(ADA, 6_000));
    await pass(5_100);
    expect(await patient).toBe('granted');
  });

  test('a participant has at most a thousand calls waiting in one process', async () => {
    opened = await open({ calls: 1_000 });
    const { queue } = opened;
    queue.pause(30_000);
    const waiting = Array.from({ length: 1_100 }, () => outcome(queue.take(ADA, 600_000)));
    expect(queue.depth().user).toBe(1_000);
    expect(await waiting[1_050]).toBe('refused');
    queue.stop();
    await Promise.all(waiting);
  });

  test('a stop refuses what waits, and nothing comes after it', async () => {
    opened = await open({ calls: 1 });
    await opened.queue.take(ADA, 0);
    const waiting = outcome(opened.queue.take(ADA, 60_000));
    await opened.pass(0);
    opened.queue.stop();
    expect(await waiting).toBe('refused');
    expect(await outcome(opened.queue.take(ADA, 60_000))).toBe('refused');
  });
}
