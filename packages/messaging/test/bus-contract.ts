import { EventFormatError } from '@casewatch/contracts/event-type';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listDeadLetters, requestRedrive } from '../src/dead-letters.ts';
import { defineHandler } from '../src/event-bus.ts';
import type { BusHarness, Member, MemberOptions } from './bus-harness.ts';
import {
  batchRecorder,
  bus,
  commitInTurn,
  commitLate,
  counted,
  gate,
  perKey,
  publishOne,
  publishRun,
  quick,
  recordEffect,
  recorder,
  replayEverything,
  upTo,
} from './bus-scenarios.ts';

/** What every adapter of the event bus promises, on real brokers and databases. */
export function describeBusContract(name: string, createHarness: () => Promise<BusHarness>): void {
  describe(`${name}: the contract of the event bus`, () => {
    let harness: BusHarness;
    let members: Member[];
    beforeEach(async () => {
      harness = await createHarness();
      members = [];
    });
    afterEach(async () => {
      await Promise.all(members.map((member) => member.stop()));
      await harness.close();
    });

    async function startMember(options: MemberOptions): Promise<Member> {
      const member = await harness.startMember({ policy: quick, ...options });
      members.push(member);
      return member;
    }
    const effects = async (group: 'notifications' | 'admin-log' = 'notifications') =>
      perKey(await harness.database.effects(group));
    const deadLetters = () => harness.database.transaction('notifications', (tx) => listDeadLetters(tx));

    test('an event is published if and only if its transaction commits', async () => {
      const member = await startMember({ handlers: [recorder('notifications')] });
      await harness.database
        .transaction('billing', async (tx) => {
          await bus.publish(tx, counted, { userId: 'undone', loginCount: 1 });
          throw new Error('rolled back');
        })
        .catch(() => undefined);
      await publishOne(harness, 'done', 1);
      await member.idle();
      expect(await effects()).toEqual({ done: [1] });
    });

    test('the handler gets id, time and trace of the event', async () => {
      const seen: unknown[] = [];
      const handler = defineHandler('notifications', counted, async (_, meta) => {
        seen.push(meta);
      });
      const member = await startMember({ handlers: [handler] });
      await publishOne(harness, 'a', 1);
      await member.idle();
      expect(seen).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          timeMs: expect.any(Number),
          traceparent: undefined,
        },
      ]);
    });

    test('order is kept per key, with many keys and concurrent publishers', async () => {
      const jitter = () => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 3));
      const member = await startMember({ handlers: [recorder('notifications', jitter)] });
      const keys = upTo(12).map((key) => `key-${key}`);
      await Promise.all(keys.map((key) => publishRun(harness, key, 15)));
      await member.idle();
      expect(await effects()).toEqual(Object.fromEntries(keys.map((key) => [key, upTo(15)])));
    });

    test('a batch publishes in its order', async () => {
      const member = await startMember({ handlers: [recorder('notifications')] });
      await harness.database.transaction('billing', (tx) =>
        bus.publishAll(
          tx,
          counted,
          upTo(60).map((n) => ({ userId: `key-${n % 3}`, loginCount: n })),
        ),
      );
      await member.idle();
      expect(await effects()).toEqual({
        'key-0': upTo(20).map((n) => 3 * n),
        'key-1': upTo(20).map((n) => 3 * n - 2),
        'key-2': upTo(20).map((n) => 3 * n - 1),
      });
    });

    test('keys are handled side by side: one that waits does not hold another', async () => {
      const other = gate();
      const handler = recorder('notifications', ({ userId }) =>
        userId === 'waits' ? other.opened : other.open(),
      );
      const member = await startMember({ handlers: [handler] });
      await publishOne(harness, 'waits', 1);
      await publishOne(harness, 'goes', 1);
      await member.idle();
      expect(await effects()).toEqual({ waits: [1], goes: [1] });
    });

    test('every group gets every event; one that fails does not hold the others', async () => {
      const fails = recorder('admin-log', () => {
        throw new Error('never');
      });
      const member = await startMember({ handlers: [recorder('notifications'), fails] });
      await publishRun(harness, 'a', 3);
      await member.idle();
      expect(await effects()).toEqual({ a: [1, 2, 3] });
      expect(await effects('admin-log')).toEqual({});
      expect(await deadLetters()).toEqual([]);
    });

    test('what a handler publishes goes out with its transaction, and only then', async () => {
      let attempts = 0;
      const forward = defineHandler('notifications', counted, async ({ userId, loginCount }, _, tx) => {
        if (loginCount === 3) return;
        await bus.publish(tx, counted, { userId, loginCount: loginCount + 1 });
        if (++attempts === 1) throw new Error('not yet');
      });
      const member = await startMember({ handlers: [forward, recorder('admin-log')] });
      await publishOne(harness, 'a', 1);
      await member.idle();
      expect((await effects('admin-log')).a?.toSorted()).toEqual([1, 2, 3]);
    });

    test('R4: a replay of everything has no new effect', async () => {
      expect(await replayEverything(harness)).toEqual({ a: upTo(5), b: upTo(5), c: upTo(5) });
    });

    test('R4, shown able to fail: without the inbox every effect would double', async () => {
      const claimAll: MemberOptions['claim'] = async (_tx, _group, ids) => new Set(ids);
      const doubled = await replayEverything(harness, { claim: claimAll });
      expect(doubled.a).toHaveLength(10);
    });

    test('an attempt that fails leaves nothing behind; the next one has the effect once', async () => {
      let attempts = 0;
      const handler = defineHandler('notifications', counted, async (payload, meta, tx) => {
        await recordEffect(payload, meta, tx);
        if (++attempts < 5) throw new Error('not yet');
      });
      const member = await startMember({ handlers: [handler] });
      await publishOne(harness, 'a', 1);
      await member.idle();
      expect(await effects()).toEqual({ a: [1] });
      expect(attempts).toBe(5);
      expect(await deadLetters()).toEqual([]);
    });

    test('a handler that swallows a failed statement does not count as done', async () => {
      let attempts = 0;
      const handler = defineHandler('notifications', counted, async (payload, meta, tx) => {
        if (++attempts === 1) await tx.query('SELECT 1 / 0', []).catch(() => undefined);
        else await recordEffect(payload, meta, tx);
      });
      const member = await startMember({ handlers: [handler] });
      await publishOne(harness, 'a', 1);
      await member.idle();
      expect(await effects()).toEqual({ a: [1] });
    });

    test('R3: an event whose transaction commits late is published all the same', async () => {
      expect(await commitLate(harness)).toEqual({
        beforeCommit: { early: upTo(20) },
        atTheEnd: { early: upTo(20), late: [1] },
      });
    });

    test('R3: of two transactions on one key, the later to publish is published later, whichever is slow', async () => {
      expect(await commitInTurn(harness)).toEqual({
        beforeCommit: { b: [1] },
        atTheEnd: { b: [1], a: [1, 2] },
      });
    });

    test('R5: an event that always fails goes to the dead letters after five attempts; its key continues', async () => {
      let attempts = 0;
      const handler = recorder('notifications', ({ loginCount }) => {
        if (loginCount !== 2) return;
        attempts++;
        throw new Error('cannot be done');
      });
      const member = await startMember({ handlers: [handler] });
      await publishRun(harness, 'a', 4);
      await publishRun(harness, 'b', 1);
      await member.idle();
      expect(await effects()).toEqual({ a: [1, 3, 4], b: [1] });
      expect(attempts).toBe(5);
      const [letter] = await deadLetters();
      expect(letter).toMatchObject({
        group: 'notifications',
        topic: 'user-logged-in',
        key: 'a',
        attempts: 5,
        payload: { userId: 'a', loginCount: 2 },
        headers: {
          ce_specversion: '1.0',
          ce_type: 'casewatch.events.v1.UserLoggedIn',
          ce_source: '/casewatch/billing',
        },
      });
      expect(letter?.error).toContain('cannot be done');
    });

    test('R5: an event that cannot be parsed goes to the dead letters at once', async () => {
      const member = await startMember({ handlers: [recorder('notifications')] });
      await harness.database.transaction('billing', async (tx) => {
        await bus.publish(
          tx,
          { ...counted, encode: () => ({ loginCount: 'many' }) },
          { userId: 'a', loginCount: 1 },
        );
      });
      await publishOne(harness, 'a', 2);
      await member.idle();
      expect(await effects()).toEqual({ a: [2] });
      expect(await deadLetters()).toMatchObject([
        {
          attempts: 1,
          payload: { loginCount: 'many' },
          error: expect.stringContaining(EventFormatError.name),
        },
      ]);
    });

    test('R5: a redrive after the fix applies the event once, also when everything is replayed', async () => {
      let broken = true;
      const handler = recorder('notifications', () => {
        if (broken) throw new Error('a defect');
      });
      const member = await startMember({ handlers: [handler] });
      await publishOne(harness, 'a', 1);
      await member.idle();
      const redrive = () =>
        harness.database.transaction('notifications', (tx) => requestRedrive(tx, Date.now()));

      expect(await redrive()).toBe(1);
      await member.idle();
      expect(await deadLetters()).toMatchObject([{ attempts: 6, redriveRequestedAt: null }]);
      broken = false;
      await redrive();
      await member.idle();
      expect(await deadLetters()).toEqual([]);
      expect(await effects()).toEqual({ a: [1] });
      await harness.replay();
      await member.idle();
      expect(await effects()).toEqual({ a: [1] });
    });

    test('the outage of a dependency does not count as attempts of the event', async () => {
      let unavailable = 12;
      const handler = recorder('notifications', () => {
        if (unavailable-- > 0)
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      });
      const member = await startMember({ handlers: [handler] });
      await publishRun(harness, 'a', 2);
      await member.idle();
      expect(await effects()).toEqual({ a: [1, 2] });
      expect(await deadLetters()).toEqual([]);
    });

    test('a batch handler gets many at once, in order per key', async () => {
      const sizes: number[] = [];
      await Promise.all(['a', 'b', 'c'].map((key) => publishRun(harness, key, 20)));
      const member = await startMember({
        handlers: [batchRecorder('notifications', (batch) => sizes.push(batch.length))],
      });
      await member.idle();
      expect(await effects()).toEqual({ a: upTo(20), b: upTo(20), c: upTo(20) });
      expect(Math.max(...sizes)).toBeGreaterThan(10);
    });

    test('a bad event in a batch fails alone', async () => {
      const handler = batchRecorder('notifications', (batch) => {
        if (batch.some(({ userId, loginCount }) => userId === 'b' && loginCount === 2))
          throw new Error('bad');
      });
      await Promise.all(['a', 'b', 'c'].map((key) => publishRun(harness, key, 4)));
      const member = await startMember({ handlers: [handler] });
      await member.idle();
      expect(await effects()).toEqual({ a: upTo(4), b: [1, 3, 4], c: upTo(4) });
      expect(await deadLetters()).toMatchObject([{ key: 'b', attempts: 5 }]);
    });

    test('two members of a group share the work without doubling it, and one continues alone', async () => {
      const first = await startMember({ handlers: [recorder('notifications')] });
      const second = await startMember({ handlers: [recorder('notifications')] });
      const keys = ['a', 'b', 'c', 'd'];
      await Promise.all(keys.map((key) => publishRun(harness, key, 5)));
      await second.idle();
      await first.stop();
      await Promise.all(keys.map((key) => publishRun(harness, key, 5, 6)));
      await second.idle();
      expect(await effects()).toEqual(Object.fromEntries(keys.map((key) => [key, upTo(10)])));
    });

    test('a member that stops in the middle finishes what is in progress; the next one does the rest', async () => {
      const begun = gate();
      let calls = 0;
      const handler = recorder('notifications', async () => {
        calls += 1;
        begun.open();
        await new Promise((resolve) => setTimeout(resolve, 5));
      });
      const member = await startMember({ handlers: [handler] });
      await Promise.all(['a', 'b', 'c'].map((key) => publishRun(harness, key, 10)));
      await begun.opened;
      await member.stop();
      const before = calls;
      expect(Object.values(await effects()).flat()).toHaveLength(before);
      const next = await startMember({ handlers: [recorder('notifications')] });
      await next.idle();
      expect(await effects()).toEqual({ a: upTo(10), b: upTo(10), c: upTo(10) });
      expect(calls).toBe(before);
    });

    test('a slow consumer gets no more at once than it takes', async () => {
      let running = 0;
      let most = 0;
      const handler = recorder('notifications', async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
      });
      await harness.database.transaction('billing', (tx) =>
        bus.publishAll(
          tx,
          counted,
          upTo(400).map((n) => ({ userId: `key-${n}`, loginCount: n })),
        ),
      );
      const member = await startMember({
        handlers: [handler],
        window: 50,
        policy: { ...quick, concurrency: 3 },
      });
      await member.idle();
      expect(most).toBe(3);
      expect(Object.keys(await effects())).toHaveLength(400);
    });
  });
}
