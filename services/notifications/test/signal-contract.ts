import type { LiveSignal, SignalSubscription } from '@casewatch/messaging/live/live-signal';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';

export const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

export interface PushWorld {
  /** Of one process; each call is another one. */
  join(options?: { traced: boolean }): Promise<LiveSignal> | LiveSignal;
  pool(): pg.Pool;
  /** Loses the listeners' connections and brings them back. */
  cutOff(): Promise<void>;
}

/** What holds for every way in which pushes travel between processes. */
export function describePush({ join, pool, cutOff }: PushWorld): void {
  const subscriptions: SignalSubscription[] = [];
  afterEach(async () => {
    await Promise.all(subscriptions.splice(0).map((subscription) => subscription.stop()));
  });

  /** A listener that is listening already. */
  async function listen(push: LiveSignal) {
    const heard: [key: string, traceparent?: string | undefined][] = [];
    let gaps = 0;
    const subscription = push.listen({
      onKey: (...message) => heard.push(message),
      onGap: () => {
        gaps += 1;
      },
    });
    subscriptions.push(subscription);
    await vi.waitFor(() => expect(gaps).toBe(1), { timeout: 10_000 });
    return { heard, gaps: () => gaps, stop: subscription.stop };
  }

  /** As a handler does and the consumer around it; `work` comes before the commit. */
  async function publish(push: LiveSignal, keys: readonly string[], work = async () => {}): Promise<void> {
    await inTransaction(pool(), async (tx) => {
      await push.publish(tx, keys);
      await work();
    });
    push.committed(keys);
  }

  test('what is committed reaches every process, its own included, once and without a trace if there is none', async () => {
    const here = await join();
    const listeners = [await listen(here), await listen(await join())];
    await publish(here, ['ada', 'cases bob']);
    for (const { heard } of listeners) {
      await expect.poll(() => heard).toHaveLength(2);
      expect(heard.sort()).toEqual([['ada'], ['cases bob']]);
    }
  });

  test('nothing is delivered before the commit, or without one', async () => {
    const push = await join();
    const { heard } = await listen(push);
    const failing = publish(push, ['rolled back'], () => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    await publish(push, ['first'], () => publish(push, ['second']));
    await expect.poll(() => heard).toEqual([['second'], ['first']]);
  });

  test('the trace of the publisher comes along', async () => {
    const push = await join({ traced: true });
    const { heard } = await listen(push);
    await publish(push, ['ada']);
    await expect.poll(() => heard).toEqual([['ada', TRACEPARENT]]);
  });

  test('a listener whose connection was lost learns of the gap, and hears what comes after it', async () => {
    const push = await join();
    const { heard, gaps } = await listen(push);
    const before = gaps();
    await cutOff();
    await vi.waitFor(() => expect(gaps()).toBeGreaterThan(before), { timeout: 15_000 });
    await vi.waitFor(
      async () => {
        await publish(push, ['after the gap']);
        expect(heard).toContainEqual(['after the gap']);
      },
      { timeout: 15_000, interval: 200 },
    );
  });

  test('a listener that has stopped hears nothing', async () => {
    const push = await join();
    const [stopped, other] = [await listen(push), await listen(push)];
    await stopped.stop();
    await publish(push, ['ada']);
    await expect.poll(() => other.heard).toEqual([['ada']]);
    expect(stopped.heard).toEqual([]);
  });
}
