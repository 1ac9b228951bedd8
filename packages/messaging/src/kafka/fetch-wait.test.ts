import consumerGroupClass, { type ConsumerGroup } from 'kafkajs/src/consumer/consumerGroup.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchLessWhenIdle, fetchWaitMs } from './fetch-wait.ts';

const SESSION_MS = 6_000;

test('a member that gets messages fetches often, so that offsets are committed soon', () => {
  expect(fetchWaitMs(0, SESSION_MS)).toBe(100);
  expect(fetchWaitMs(1_999, SESSION_MS)).toBe(100);
});

test('one that has had none for two seconds leaves its fetch with the broker for longer', () => {
  expect(fetchWaitMs(2_000, SESSION_MS)).toBe(1_000);
  expect(fetchWaitMs(3_600_000, 60_000)).toBe(1_000);
});

test('a short session is not missed for want of heartbeats between fetches', () => {
  expect(fetchWaitMs(60_000, 3_000)).toBe(500);
  expect(fetchWaitMs(60_000, 500)).toBe(100);
});

describe('the members of kafkajs', () => {
  const { prototype } = consumerGroupClass;
  const { fetch } = prototype;
  const MESSAGES = { isEmpty: () => false };
  const NONE = { isEmpty: () => true };
  let found: Awaited<ReturnType<typeof fetch>>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    // A process has run for a while before its first fetch.
    vi.advanceTimersByTime(60_000);
    prototype.fetch = async () => found;
    fetchLessWhenIdle();
  });
  afterEach(() => {
    prototype.fetch = fetch;
    vi.useRealTimers();
  });

  function createMember() {
    const member: ConsumerGroup = { maxWaitTime: 0, sessionTimeout: SESSION_MS, fetch: prototype.fetch };
    /** Returns how long the broker may hold the fetch that follows one with this result. */
    return async (...batches: typeof found) => {
      found = batches;
      expect(await member.fetch('1')).toBe(batches);
      return member.maxWaitTime;
    };
  }

  test('wait longer from two seconds after the last message until the next one', async () => {
    const waitAfter = createMember();
    expect(await waitAfter(MESSAGES)).toBe(100);
    vi.advanceTimersByTime(1_999);
    expect(await waitAfter(NONE)).toBe(100);
    vi.advanceTimersByTime(1);
    expect(await waitAfter(NONE)).toBe(1_000);
    expect(await waitAfter()).toBe(1_000);
    expect(await waitAfter(NONE, MESSAGES)).toBe(100);
    expect(await waitAfter(NONE)).toBe(100);
  });

  test('wait longer only after two seconds without a first message, each for itself', async () => {
    const [first, second] = [createMember(), createMember()];
    expect(await first(NONE)).toBe(100);
    vi.advanceTimersByTime(2_000);
    expect(await first(NONE)).toBe(1_000);
    expect(await second(NONE)).toBe(100);
  });

  test('are changed once, however many join', () => {
    const changed = prototype.fetch;
    fetchLessWhenIdle();
    expect(prototype.fetch).toBe(changed);
  });
});
