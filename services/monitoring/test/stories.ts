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

/** What monitoring is told, in one of three topics. */
export type Told =
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

/** What monitoring was told, and what it published for it. */
export interface Step {
  readonly told: Told;
  readonly notified: readonly Notified[];
}

export interface Story {
  /** In the order in which monitoring handles it. */
  readonly handled: readonly Told[];
  /** Returns what is wrong in the end, `watched` being how often each user's case is checked; undefined when nothing is. */
  judge(steps: readonly Step[], watched: ReadonlyMap<User, number>): string | undefined;
}

type Random = (below: number) => number;

/** Xorshift: the same seed tells the same story. */
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
  const handled = isInOrder ? cases.told : overtaken(cases.told, random);
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
function overtaken(told: readonly Told[], random: Random): Told[] {
  const arrived = told.filter(() => random(7) > 0);
  const topics = [...Map.groupBy(arrived, ({ topic }) => topic).values()].map((topic) => {
    const late = random(topic.length);
    if (random(4) === 0)
      return [...topic.slice(0, late), ...topic.slice(late + 1), ...topic.slice(late, late + 1)];
    // A consumer that starts again reads from its last commit.
    const until = random(topic.length + 1);
    return random(3) === 0 ? [...topic.slice(0, until), ...topic.slice(random(until + 1))] : topic;
  });
  const order: Told[] = [];
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
  const told: Told[] = [];
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

  function answers(status: string | undefined): Told {
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

  function requests(user: User, one: OwnCase): Told {
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
      told.push(answers(random(5) === 0 ? undefined : random(6) === 0 ? `${title}.` : title));
      return;
    }
    const [user, one] = [...own][random(own.size)] ?? [];
    if (!user || !one) return;
    if (what < 6) one.wanted = !one.wanted;
    else if (what < 7) one.paused = !one.paused;
    else if (what < 8) one.periodDays = PERIODS[random(PERIODS.length)] ?? 1;
    else one.wanted = true;
    told.push(requests(user, one));
  }

  return {
    told,
    happens,
    lists: (): Told[] =>
      [...own].map(([user, one]) => {
        version += 1n;
        const { beginning, periodDays } = one;
        const watch = { version: one.version, periodDays, beginning, shown: undefined };
        return { topic: 'lists', user, version, watch: isRunning(one) ? watch : undefined };
      }),
    lastCheck: () => answers(shown.status ?? TITLES[0]),
    /** In the end everybody is watched as wished, and has seen the last status. */
    missed(steps: readonly Step[], watched: ReadonlyMap<User, number>): string | undefined {
      for (const [user, one] of own) {
        const wished = isRunning(one) ? one.periodDays : undefined;
        if (watched.get(user) !== wished)
          return `${user} is watched every ${watched.get(user)} instead of ${wished} days`;
        if (!one.beginning || wished === undefined) continue;
        const last = steps.flatMap(({ notified }) => notified.filter((each) => each.user === user)).at(-1);
        const { shown: first } = one.beginning;
        const seen = last && last.call > first.call ? last.newStatus : first.status;
        // The first status of a watch that has just begun is nobody's news.
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
  for (const { told } of steps) {
    // What any user's list shows is known to the watch as well.
    if (told.topic === 'requests' && told.request.shown?.status !== undefined) return false;
    if (told.topic === 'requests' && told.user === user && told.request.version > version) {
      version = told.request.version;
      watches = told.request.periodDays !== null;
    }
    if (told.topic === 'lists' && told.user === user) watches = told.watch !== undefined;
    if (told.topic !== 'answers' || told.answer.call <= since) continue;
    if (told.answer.status !== undefined) return false;
    if (watches) return true;
  }
  return false;
}

/** Nobody is notified of what they have seen: by an earlier notification, or in the list when the watch began. */
function repeated(steps: readonly Step[]): string | undefined {
  const known = new Map<User, Answer & { version: bigint }>();
  for (const { told, notified } of steps) {
    const asked = told.topic === 'requests' ? told.request : told.topic === 'lists' ? told.watch : undefined;
    if (told.topic !== 'answers' && asked?.beginning) {
      const before = known.get(told.user);
      const { version, shown } = asked.beginning;
      if (!before || (version > before.version && shown.call >= before.call))
        known.set(told.user, { ...shown, version });
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

/** Nobody is notified of an answer after a later one has been handled in the same watch. */
function outdated(steps: readonly Step[]): string | undefined {
  const versions = new Map<User, bigint>();
  /** The latest call of those who watch. */
  const latest = new Map<User, bigint>();
  for (const { told, notified } of steps) {
    const late = notified.find(({ user, call }) => call < (latest.get(user) ?? 0n));
    if (late) return `${late.user} is notified of call ${late.call} after ${latest.get(late.user)}`;
    if (told.topic === 'answers') {
      const { status, call } = told.answer;
      for (const [user, before] of latest) if (status !== undefined && call > before) latest.set(user, call);
      continue;
    }
    const isList = told.topic === 'lists';
    const version = isList ? (told.watch?.version ?? told.version) : told.request.version;
    if (version <= (versions.get(told.user) ?? 0n)) continue;
    versions.set(told.user, version);
    const watches = isList ? told.watch !== undefined : told.request.periodDays !== null;
    if (!watches) latest.delete(told.user);
    else if (!latest.has(told.user)) latest.set(told.user, 0n);
  }
  return undefined;
}
