import { expect, test } from 'vitest';
import { type Step, storyOf, type Told, type User } from '../../test/stories.ts';
import {
  afterAnswers,
  afterRequest,
  firstStatus,
  listedRequest,
  type Observed,
  type Watcher,
  type WatchRequest,
} from './watch-rules.ts';

const STORIES = 100_000;

/** Monitoring without storage: what is kept of one case. */
function monitoringInMemory() {
  const watchers = new Map<User, Watcher>();
  let watch: { newest: Observed | undefined } | undefined;
  const current = () => new Map([...watchers].filter(([, { periodDays }]) => periodDays !== null));

  function request(user: User, one: WatchRequest): Step['notified'] {
    const after = afterRequest(watchers.get(user), one, watch?.newest);
    if (!after) return [];
    watchers.set(user, after.watcher);
    if (current().size === 0) watch = undefined;
    else watch ??= { newest: firstStatus(after.watcher, one) };
    return after.change ? [{ user, ...after.change }] : [];
  }

  function handle(told: Told): Step['notified'] {
    if (told.topic === 'requests') return request(told.user, told.request);
    if (told.topic === 'lists') {
      const listed = listedRequest(watchers.get(told.user), told.watch, told.version);
      return listed ? request(told.user, listed) : [];
    }
    if (!watch) return [];
    const after = afterAnswers(watch.newest, current(), [told.answer]);
    watch.newest = after.newest;
    for (const [user, watcher] of after.watchers) watchers.set(user as User, watcher);
    return after.changes.map(({ userId, ...change }) => ({ user: userId as User, ...change }));
  }

  return {
    handle,
    watched: () => new Map([...current()].map(([user, { periodDays }]) => [user, periodDays ?? 0])),
  };
}

/** A step in one line. */
function tell({ told, notified }: Step): string {
  return JSON.stringify({ ...told, notified }, (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}

test('of 100,000 stories with pauses, losses, repetitions and overtaking none misses or doubles a change', {
  timeout: 60_000,
}, () => {
  const wrong: string[] = [];
  for (let seed = 0; seed < STORIES && wrong.length < 3; seed++) {
    const story = storyOf(seed);
    const monitoring = monitoringInMemory();
    const steps = story.handled.map((told): Step => ({ told, notified: monitoring.handle(told) }));
    const fault = story.judge(steps, monitoring.watched());
    if (fault) wrong.push(`${seed}: ${fault}\n${steps.map(tell).join('\n')}`);
  }
  expect(wrong).toEqual([]);
});
