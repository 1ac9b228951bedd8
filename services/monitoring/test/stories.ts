import { isSameStatus } from '@casewatch/contracts/fold-status';
import type { Answer, WatchRequest } from '../src/domain/watch-rules.ts';

/**
 * Random stories about one case and its users: what cases stores and publishes, what is lost, overtaken and repeated on the way, and
 * what each user has to be notified of. They end with a list of everybody's watches and one more check.
 */

export const USERS = ['ada', 'bob'] as const;
export type User = (typeof USERS)[number];
const TITLES = ['Case Was Received', 'Name Was Updated', 'Case Was Approved'];
const PERIODS = [1, 7, 30];

/** An event that monitoring handles, of one of three topics. */
export type StoryEvent =
  | { readonly topic: 'answers'; readonly answer: Answer }
  | { readonly topic: 'requests'; readonly user: User; readonly request: WatchRequest }
  | {
      readonly topic: 'lists';
      readonly user: User;
      readonly version: bigint;
      readonly watch: WatchRequest | undefined;
    };

/** A change that monitoring has published for a user. */
export interface Notified {
  readonly user: User;
  readonly oldStatus: string | undefined;
  readonly newStatus: string;
  readonly call: bigint;
}

/** An event that monitoring handled, and what it published for it. */
export interface Step {
  readonly event: StoryEvent;
  readonly notified: readonly Notified[];
}

export interface Story {
  /** In the order in which monitoring handles it. */
  readonly handled: readonly StoryEvent[];
  /** Returns what is wrong in the end, `watched` being how often each user's case is checked; undefined when nothing is. */
  judge(steps: readonly Step[], watched: ReadonlyMap<User, number>): string | undefined;
}

type Random = (below: number) => number;

/** Xorshift: the same seed makes the same story. */
function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  const next = (below: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  for (let n = 0; n < 8; n++) next(2);
  return next;
}

export function storyOf(seed: number): Story {
  const random = randomOf(seed);
  const isInOrder = random(4) === 0;
  const cases = casesOf(random);
  for (let steps = 4 + random(10); steps > 0; steps--) cases.happens();
  const handled = isInOrder ? cases.events : overtaken(cases.events, random);
  return {
    handled: [...handled, ...cases.lists(), cases.lastCheck()],
    judge: (steps, watched) =>
      repeated(steps) ??
      outdated(steps) ??
      cases.missed(steps, watched) ??
      (isInOrder ? cases.missedInOrder(steps) : undefined),
  };
}

/** Loses some of it, and mixes the topics; within a topic some comes twice, and one may come late. */
function overtaken(events: readonly StoryEvent[], random: Random): StoryEvent[] {
  const arrived = events.filter(() => random(7) > 0);
  const topics = [...Map.groupBy(arrived, ({ topic }) => topic).values()].map((topic) => {
    const late = random(topic.length);
    if (random(4) === 0)
      return [...topic.slice(0, late), ...topic.slice(late + 1), ...topic.slice(late, late + 1)];
    // A consumer that starts again reads from its last commit.
    const until = random(topic.length + 1);
    return random(3) === 0 ? [...topic.slice(0, until), ...topic.slice(random(until + 1))] : topic;
  });
  const order: StoryEvent[] = [];
  for (let left = topics; left.length > 0; left = left.filter((topic) => topic.length > 0)) {
    const next = left[random(left.length)]?.shift();
    if (next) order.push(next);
  }
  return order;
}

interface OwnCase {
  wanted: boolean;
  paused: boolean;
  periodDays: number;
  version: bigint;
  beginning: WatchRequest['beginning'];
  /** What the user knows if nothing is late or lost; `denied`: the agency has answered without a status since the beginning. */
  knows: string | undefined;
  denied: boolean;
  /** What the user is to be notified of if nothing is late or lost. */
  due: string[];
}

const isRunning = ({ wanted, paused }: OwnCase) => wanted && !paused;

/** The part of cases: the agency's answers about one case, and the lists of its users. */
function casesOf(random: Random) {
  let call = 0n;
  let version = 0n;
  let shown: Answer = { status: undefined, call };
  const events: StoryEvent[] = [];
  const own = new Map<User, OwnCase>(
    USERS.map((user) => [
      user,
      {
        wanted: false,
        paused: false,
        periodDays: 1,
        version,
        beginning: undefined,
        knows: undefined,
        denied: false,
        due: [],
      },
    ]),
  );

  function answers(status: string | undefined): StoryEvent {
    call += BigInt(1 + random(3));
    const answer = { status, call };
    // An answer without a status leaves the one that is shown.
    if (status !== undefined || shown.status === undefined) shown = answer;
    for (const one of own.values()) if (isRunning(one)) learns(one, status);
    return { topic: 'answers', answer };
  }

  function learns(one: OwnCase, status: string | undefined): void {
    if (status === undefined) {
      one.denied ||= one.knows === undefined;
      return;
    }
    if (one.knows === undefined ? one.denied : !isSameStatus(one.knows, status)) one.due.push(status);
    one.knows = status;
  }

  function requests(user: User, one: OwnCase): StoryEvent {
    version += BigInt(1 + random(2));
    one.version = version;
    if (!one.wanted) one.beginning = undefined;
    else if (!one.beginning) {
      one.beginning = { version, shown };
      one.knows = shown.status;
      one.denied = false;
    }
    const runs = isRunning(one);
    // What came during a pause is reported at its end.
    if (runs && shown.status !== undefined) learns(one, shown.status);
    const request: WatchRequest = runs
      ? { version, periodDays: one.periodDays, beginning: one.beginning, shown }
      : { version, periodDays: null, beginning: undefined, shown: undefined };
    return { topic: 'requests', user, request };
  }

  function happens(): void {
    const what = random(10);
    if (what < 4) {
      const title = TITLES[random(TITLES.length)] ?? '';
      events.push(answers(random(5) === 0 ? undefined : random(6) === 0 ? `${title}.` : title));
      return;
    }
    const [user, one] = [...own][random(own.size)] ?? [];
    if (!user || !one) return;
    if (what < 6) one.wanted = !one.wanted;
    else if (what < 7) one.paused = !one.paused;
    else if (what < 8) one.periodDays = PERIODS[random(PERIODS.length)] ?? 1;
    else one.wanted = true;
    events.push(requests(user, one));
  }

  return {
    events,
    happens,
    lists: (): StoryEvent[] =>
      [...own].map(([user, one]) => {
        version += 1n;
        const { beginning, periodDays } = one;
        const watch = { version: one.version, periodDays, beginning, shown: undefined };
        return { topic: 'lists', user, version, watch: isRunning(one) ? watch : undefined };
      }),
    lastCheck: () => answers(shown.status ?? TITLES[0]),
    /** In the end every user is watched as requested, and has seen the last status. */
    missed(steps: readonly Step[], watched: ReadonlyMap<User, number>): string | undefined {
      for (const [user, one] of own) {
        const expected = isRunning(one) ? one.periodDays : undefined;
        if (watched.get(user) !== expected)
          return `${user} is watched every ${watched.get(user)} instead of ${expected} days`;
        if (!one.beginning || expected === undefined) continue;
        const last = steps.flatMap(({ notified }) => notified.filter((each) => each.user === user)).at(-1);
        const { shown: first } = one.beginning;
        const seen = last && last.call > first.call ? last.newStatus : first.status;
        // The first status of a watch that has just begun is no change.
        if (seen === undefined && !one.due.length) continue;
        if (seen === undefined && !hasLearnedOfNone(steps, user, first.call)) continue;
        if (seen === undefined || !isSameStatus(seen, shown.status ?? ''))
          return `${user} has seen ${seen}, and the status is ${shown.status}`;
      }
      return undefined;
    },
    missedInOrder(steps: readonly Step[]): string | undefined {
      for (const [user, { due }] of own) {
        const seen = steps
          .flatMap(({ notified }) => notified.filter((each) => each.user === user))
          .map(({ newStatus }) => newStatus);
        if (`${seen}` !== `${due}`) return `${user} has got ${seen} instead of ${due}`;
      }
      return undefined;
    },
  };
}

/** Whether an answer without a status came while the user watched, before any with a status. */
function hasLearnedOfNone(steps: readonly Step[], user: User, since: bigint): boolean {
  let watches = false;
  let version = 0n;
  for (const { event } of steps) {
    // What any user's list shows is known to the watch as well.
    if (event.topic === 'requests' && event.request.shown?.status !== undefined) return false;
    if (event.topic === 'requests' && event.user === user && event.request.version > version) {
      version = event.request.version;
      watches = event.request.periodDays !== null;
    }
    if (event.topic === 'lists' && event.user === user) watches = event.watch !== undefined;
    if (event.topic !== 'answers' || event.answer.call <= since) continue;
    if (event.answer.status !== undefined) return false;
    if (watches) return true;
  }
  return false;
}

/** No user is notified of what they have seen: by an earlier notification, or in the list when the watch began. */
function repeated(steps: readonly Step[]): string | undefined {
  const known = new Map<User, Answer & { version: bigint }>();
  for (const { event, notified } of steps) {
    const asked =
      event.topic === 'requests' ? event.request : event.topic === 'lists' ? event.watch : undefined;
    if (event.topic !== 'answers' && asked?.beginning) {
      const before = known.get(event.user);
      const { version, shown } = asked.beginning;
      if (!before || (version > before.version && shown.call >= before.call))
        known.set(event.user, { ...shown, version });
    }
    for (const { user, oldStatus, newStatus, call } of notified) {
      const before = known.get(user);
      if (!before) return `${user} is notified without a watch`;
      if (call <= before.call) return `${user} is notified of call ${call} after ${before.call}`;
      if (before.status !== undefined && isSameStatus(before.status, newStatus))
        return `${user} is notified of ${newStatus} twice`;
      if (oldStatus !== undefined && isSameStatus(oldStatus, newStatus))
        return `${user} is notified of ${newStatus}, which is no change`;
      known.set(user, { status: newStatus, call, version: before.version });
    }
  }
  return undefined;
}

/** No user is notified of an answer after a later one has been handled in the same watch. */
function outdated(steps: readonly Step[]): string | undefined {
  const versions = new Map<User, bigint>();
  /** The latest call of those who watch. */
  const latest = new Map<User, bigint>();
  for (const { event, notified } of steps) {
    const late = notified.find(({ user, call }) => call < (latest.get(user) ?? 0n));
    if (late) return `${late.user} is notified of call ${late.call} after ${latest.get(late.user)}`;
    if (event.topic === 'answers') {
      const { status, call } = event.answer;
      for (const [user, before] of latest) if (status !== undefined && call > before) latest.set(user, call);
      continue;
    }
    const isList = event.topic === 'lists';
    const version = isList ? (event.watch?.version ?? event.version) : event.request.version;
    if (version <= (versions.get(event.user) ?? 0n)) continue;
    versions.set(event.user, version);
    const watches = isList ? event.watch !== undefined : event.request.periodDays !== null;
    if (!watches) latest.delete(event.user);
    else if (!latest.has(event.user)) latest.set(event.user, 0n);
  }
  return undefined;
}
