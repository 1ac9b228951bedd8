import { expect, test } from 'vitest';
import { type Step, type StoryEvent, storyOf, type User } from '../../test/stories.ts';
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

  function handle(event: StoryEvent): Step['notified'] {
    if (event.topic === 'requests') return request(event.user, event.request);
    if (event.topic === 'lists') {
      const listed = listedRequest(watchers.get(event.user), event.watch, event.version);
      return listed ? request(event.user, listed) : [];
    }
    if (!watch) return [];
    const after = afterAnswers(watch.newest, current(), [event.answer]);
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
function describe({ event, notified }: Step): string {
  return JSON.stringify({ ...event, notified }, (_, value) =>
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
    const steps = story.handled.map((event): Step => ({ event, notified: monitoring.handle(event) }));
    const problem = story.judge(steps, monitoring.watched());
    if (problem) wrong.push(`${seed}: ${problem}\n${steps.map(describe).join('\n')}`);
  }
  expect(wrong).toEqual([]);
});
