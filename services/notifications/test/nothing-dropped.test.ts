import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
  type NotificationTiming,
} from '@casewatch/contracts/notification-choices';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from './digest-waits.ts';
import { type MailFixture, startMailing } from './mail-fixture.ts';
import type { NotificationsFixture } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

/** Whatever delays an alert delays it: no change of status is dropped from what its user chose to receive. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MODES = ['immediately', 'daily', 'weekly'] as const;
const PATIENT = { timeout: 300_000 };
const DAYS = 46;

interface User {
  readonly userId: string;
  /** What the user has got, in order. */
  readonly received: () => string[];
}

/** The way on which the alerts of a channel go. */
interface Road {
  readonly fixture: Pick<NotificationsFixture, 'call' | 'clock' | 'database' | 'statusChanged'>;
  readonly directory: MailFixture['directory'];
  addUser(): Promise<User>;
  settingsOf(mode: NotificationTiming): Partial<NotificationSettings>;
}

let mailing: MailFixture;
let pushing: PushFixture;
beforeAll(async () => {
  mailing = await startMailing();
  pushing = await startPushing();
});
afterAll(async () => {
  await mailing.stop();
  await pushing.stop();
});

const ROADS: Readonly<Record<'email' | 'push', () => Road>> = {
  email: () => ({
    fixture: mailing,
    directory: mailing.directory,
    async addUser() {
      const { userId, email } = mailing.person();
      return { userId, received: () => mailing.server.to(email).map(({ parsed }) => parsed.text ?? '') };
    },
    settingsOf: (mode) => ({ email: { status: mode, needsAction: mode, digest: 'never' } }),
  }),
  push: () => ({
    fixture: pushing,
    directory: pushing.directory,
    async addUser() {
      const { userId, name } = await pushing.person();
      return {
        userId,
        received: () => pushing.service.to(name).map(({ message }) => JSON.stringify(message)),
      };
    },
    settingsOf: (mode) => ({ push: { status: mode, needsAction: mode, billing: 'immediately' } }),
  }),
};

const choose = async (road: Road, { userId }: User, mode: NotificationTiming, more: object = {}) => {
  const body = { ...DEFAULTS, ...road.settingsOf(mode), ...more };
  const answer = await road.fixture.call('PUT', '/api/notifications/settings', { as: { userId }, body });
  expect(answer.status).toBe(200);
};

const WAITING = `
  SELECT (SELECT count(*) FROM notifications.deliveries WHERE state = 'queued' AND next_attempt_at <= $1)
    + (SELECT count(*) FROM notifications.digest_schedules WHERE next_at <= $1) AS due`;

/** Resolves when the jobs have done what is due; while a service is unavailable they can not. */
async function work({ fixture: { clock, database }, directory }: Road): Promise<void> {
  await vi.waitFor(async () => {
    await clock.advance(31_000);
    if (directory.unavailable.cases || directory.unavailable.identity) return;
    const [row] = await database.query<{ due: string }>(WAITING, [new Date(clock.nowMs())]);
    expect(Number(row?.due)).toBe(0);
  }, PATIENCE);
}

interface Scene {
  readonly road: Road;
  readonly user: User;
  readonly mode: NotificationTiming;
  /** The status of the case changes. */
  change(): Promise<unknown>;
  snoozeFor(days: number): void;
}
type Act = (scene: Scene) => unknown;

const clockTime = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** What comes between a change and its message, by the day on which it happens; in the end nothing delays it any more. */
const DELAYS: Readonly<Record<string, Readonly<Record<number, Act>>>> = {
  'a snooze that is longer than the time of a digest': {
    0: async ({ snoozeFor, change }) => {
      snoozeFor(10);
      await change();
    },
  },
  'a snooze that is ended early': {
    0: async ({ snoozeFor, change }) => {
      snoozeFor(300);
      await change();
    },
    9: ({ road, user }) => road.directory.snoozed.delete(user.userId),
  },
  'quiet hours': {
    0: async ({ road, user, mode, change }) => {
      const nowMs = road.fixture.clock.nowMs();
      const quietHours = { from: clockTime(nowMs - HOUR_MS), until: clockTime(nowMs + 5 * HOUR_MS) };
      await choose(road, user, mode, { quietHours, digestHour: new Date(nowMs + HOUR_MS).getUTCHours() });
      await change();
    },
  },
  'a snooze and then quiet hours at its end': {
    0: async ({ road, user, mode, snoozeFor, change }) => {
      const nowMs = road.fixture.clock.nowMs();
      const quietHours = { from: clockTime(nowMs - HOUR_MS), until: clockTime(nowMs + 5 * HOUR_MS) };
      await choose(road, user, mode, { quietHours });
      snoozeFor(3);
      await change();
    },
  },
  'the removal of its case, which is restored on the last day': {
    0: async ({ snoozeFor, change }) => {
      snoozeFor(3);
      await change();
    },
    1: ({ road, user }) => road.directory.removed.add(user.userId),
    29: ({ road, user }) => road.directory.removed.delete(user.userId),
  },
  'a removal in a snooze of its case, which is restored while snoozed': {
    0: async ({ snoozeFor, change }) => {
      snoozeFor(9);
      await change();
    },
    1: ({ road, user }) => road.directory.removed.add(user.userId),
    3: ({ road, user }) => road.directory.removed.delete(user.userId),
  },
  'a switch to messages at once and back': {
    0: async ({ road, user, mode, change }) => {
      await change();
      await choose(road, user, 'immediately');
      await choose(road, user, mode);
    },
  },
  'a switch to another digest while its case is snoozed': {
    0: async ({ snoozeFor, change }) => {
      snoozeFor(10);
      await change();
    },
    2: ({ road, user, mode }) => choose(road, user, mode === 'weekly' ? 'daily' : 'weekly'),
  },
  'messages that are turned off and on again while it waits': {
    0: async ({ road, user, mode, snoozeFor, change }) => {
      // The digest of this day is over.
      await choose(road, user, mode, { digestHour: new Date(road.fixture.clock.nowMs()).getUTCHours() });
      snoozeFor(0.2);
      await change();
      await choose(road, user, 'never');
      await road.fixture.clock.jump(2 * HOUR_MS);
      await work(road);
      await choose(road, user, mode);
    },
  },
  'a long snooze in which messages are off for some days': {
    0: async ({ snoozeFor, change }) => {
      snoozeFor(20);
      await change();
    },
    2: ({ road, user }) => choose(road, user, 'never'),
    15: ({ road, user, mode }) => choose(road, user, mode),
  },
  'other time zones': {
    0: async ({ road, user, mode, change }) => {
      await change();
      await choose(road, user, mode, { timeZone: 'Pacific/Auckland' });
    },
    1: ({ road, user, mode }) => choose(road, user, mode, { timeZone: 'America/Los_Angeles' }),
  },
  'an outage of cases that lasts for days': { 12: ({ change }) => change() },
  'an outage of cases that begins during a snooze': {
    11: async ({ snoozeFor, change }) => {
      snoozeFor(2);
      await change();
    },
  },
  'an outage of identity that lasts for days': { 20: ({ change }) => change() },
};
/** For all users of a road. */
const OUTAGES: Readonly<Record<number, (directory: Road['directory']) => void>> = {
  12: ({ unavailable }) => Object.assign(unavailable, { cases: true }),
  17: ({ unavailable }) => Object.assign(unavailable, { cases: false }),
  20: ({ unavailable }) => Object.assign(unavailable, { identity: true }),
  25: ({ unavailable }) => Object.assign(unavailable, { identity: false }),
};

describe.each(['email', 'push'] as const)('by %s', (channel) => {
  const received = new Map<string, () => number>();
  const keyOf = (mode: string, delay: string) => `${mode} after ${delay}`;

  beforeAll(async () => {
    const road = ROADS[channel]();
    const { clock } = road.fixture;
    const scenes: (Scene & { acts: Readonly<Record<number, Act>> })[] = [];
    for (const mode of MODES) {
      for (const [delay, acts] of Object.entries(DELAYS)) {
        const user = await road.addUser();
        await choose(road, user, mode);
        const newStatus = `Status no. ${scenes.length} of many`;
        received.set(
          keyOf(mode, delay),
          () => user.received().filter((text) => text.includes(newStatus)).length,
        );
        scenes.push({
          road,
          user,
          mode,
          acts,
          change: () => road.fixture.statusChanged(user.userId, { newStatus }),
          snoozeFor: (days) =>
            road.directory.snoozed.set(user.userId, new Date(clock.nowMs() + days * DAY_MS).toISOString()),
        });
      }
    }
    for (let day = 0; day < DAYS; day++) {
      OUTAGES[day]?.(road.directory);
      for (const scene of scenes) await scene.acts[day]?.(scene);
      for (const hours of [0, 2, 8, 14]) {
        await clock.jump(hours * HOUR_MS);
        await work(road);
      }
    }
  }, 300_000);

  test.each(MODES.flatMap((mode) => Object.keys(DELAYS).map((delay) => [mode, delay] as const)))(
    'a change that is wanted %s comes once after %s',
    (mode, delay) => {
      expect(received.get(keyOf(mode, delay))?.()).toBe(1);
    },
  );
});

describe.each(['email', 'push'] as const)('by %s, not wanted:', (channel) => {
  test('what came while messages were off does not come', async () => {
    const road = ROADS[channel]();
    const user = await road.addUser();
    await choose(road, user, 'never');
    await road.fixture.statusChanged(user.userId, { newStatus: 'Not wanted' });
    await choose(road, user, 'daily');
    await road.fixture.clock.jump(2 * DAY_MS);
    await work(road);
    expect(user.received()).toEqual([]);
  });

  test.each(MODES)(
    'of a case that can not be restored any more no change comes %s',
    PATIENT,
    async (mode) => {
      const road = ROADS[channel]();
      const user = await road.addUser();
      await choose(road, user, mode);
      road.directory.snoozed.set(user.userId, new Date(road.fixture.clock.nowMs() + DAY_MS).toISOString());
      await road.fixture.statusChanged(user.userId, { newStatus: 'Of a removed case' });
      await road.fixture.clock.jump(2 * HOUR_MS);
      await work(road);
      road.directory.removed.add(user.userId);
      for (const days of [1, 20, 12, 400, 8]) {
        await road.fixture.clock.jump(days * DAY_MS);
        await work(road);
      }
      road.directory.removed.delete(user.userId);
      await road.fixture.clock.jump(8 * DAY_MS);
      await work(road);
      expect(user.received()).toEqual([]);
    },
  );
});
