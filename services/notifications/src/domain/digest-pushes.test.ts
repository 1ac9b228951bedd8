import { randomUUID } from 'node:crypto';
import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listCaseOverviews } from '@casewatch/contracts/case-overviews';
import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationTiming,
} from '@casewatch/contracts/notification-choices';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type DuePushDigest, digestPushes, type PushDigestLog } from './digest-pushes.ts';
import { CHANGES_PER_DIGEST, type DigestChange } from './digests.ts';

/** Noon in UTC. */
const clock = createManualClock();
const NOW = clock.nowMs();
const RECEIPT = 'EAC9999103403';
const DEVICE = {
  id: randomUUID(),
  userId: 'ada',
  sessionId: 'session',
  endpoint: 'https://push.example.com/1',
  p256dh: '',
  auth: '',
  publicKey: 'ours',
  showReceiptNumbers: false,
  language: 'en',
} as const;

const digest = (status: NotificationTiming = 'daily', more: Partial<DuePushDigest> = {}): DuePushDigest => ({
  id: randomUUID(),
  queuedAtMs: NOW,
  attempts: 1,
  userId: randomUUID(),
  kind: 'daily',
  period: '2026-01-05',
  settings: { ...DEFAULTS, push: { ...DEFAULTS.push, status } },
  device: DEVICE,
  ...more,
});
const change = ({ id }: DuePushDigest, newStatus = 'Case Was Received'): DigestChange => ({
  digestId: id,
  notificationId: `of ${newStatus}`,
  receiptNumber: RECEIPT,
  oldStatus: null,
  newStatus,
  newestStatus: newStatus,
  createdAt: new Date(NOW),
});

async function prepare(
  due: readonly DuePushDigest[],
  changes: readonly DigestChange[],
  { snoozed = false, isUnavailable = false } = {},
) {
  const asked: string[] = [];
  const heldBack: string[] = [];
  const services = createServiceClient({
    locate: () => ({
      kind: 'local',
      routes: [
        route(listCaseOverviews, async ({ body }) => {
          if (isUnavailable) throw new Error('cases is unavailable');
          asked.push(...body.userIds);
          return { body: { cases: [] } };
        }),
        route(listCaseNicknames, async ({ body }) => {
          const snoozedUntil = snoozed ? new Date(NOW + 1_000).toISOString() : null;
          const details = body.cases.map((one) => ({
            ...one,
            nickname: 'Mom',
            formType: null,
            snoozedUntil,
            archived: false,
          }));
          return { body: { nicknames: [], details } };
        }),
      ],
    }),
    internalSecret: 'unused',
  });
  const { ready, dropped, postponed, unavailable } = await digestPushes({
    log: {
      changesOf: async (digests) =>
        changes.filter(({ digestId }) => digests.some(({ id }) => id === digestId)),
      putBack: async (held) => void heldBack.push(...held.map((one) => one.notificationId)),
    } as Pick<PushDigestLog, 'changesOf' | 'putBack'> as PushDigestLog,
    services,
    compose: ({ device }, cases, hasMore) => ({
      target: device,
      payload: JSON.stringify({ cases: cases.map((one) => [one.nickname, one.notificationId]), hasMore }),
      ttlSeconds: 60,
      urgency: 'normal',
      topic: 't',
    }),
    publicKey: 'ours',
    isAllowed: (endpoint) => endpoint.startsWith('https://push.example.com/'),
    clock,
    logger: pino({ level: 'silent' }),
  }).prepare(due);
  return {
    ready: ready.map((one) => one.due),
    messages: ready.map((one) => JSON.parse(one.message.payload)),
    dropped: dropped.map((one) => [one.due, one.reason]),
    postponed: postponed?.map((one) => [one.due, one.untilMs - NOW]),
    unavailable,
    asked,
    heldBack,
  };
}

test('a device that can not get it is left out with the reason, also in quiet hours, and the others wait for their end', async () => {
  const quietHours = { from: '11:00', until: '14:00' };
  const settings = { ...digest().settings, quietHours };
  const otherKey = digest('daily', { settings, device: { ...DEVICE, publicKey: 'earlier' } });
  const otherHost = digest('daily', { device: { ...DEVICE, endpoint: 'https://elsewhere.example.com/' } });
  const waiting = digest('daily', { settings });
  const all = [otherKey, otherHost, waiting];
  expect(
    await prepare(
      all,
      all.map((one) => change(one)),
    ),
  ).toMatchObject({
    ready: [],
    dropped: [
      [otherKey, 'other-key'],
      [otherHost, 'host-not-allowed'],
    ],
    postponed: [[waiting, 2 * 3_600_000]],
    asked: [],
  });
});

test.each<[string, NotificationTiming, boolean]>([
  ['and the next ones are, too', 'daily', true],
  ['and the next ones come at once', 'immediately', true],
  ['and nothing is wanted now', 'never', false],
])('a change that was collected for this digest, %s', async (_what, timing, isIn) => {
  const due = digest(timing);
  const { ready, dropped, asked, unavailable } = await prepare([due], [change(due)]);
  expect(unavailable).toBeUndefined();
  expect(ready).toEqual(isIn ? [due] : []);
  expect(dropped).toEqual(isIn ? [] : [[due, 'nothing-changed']]);
  expect(asked).toEqual([due.userId]);
});

test('what is snoozed waits also where no such messages are wanted at the moment', async () => {
  const due = digest('never');
  const { heldBack } = await prepare([due], [change(due)], { snoozed: true });
  expect(heldBack).toEqual(['of Case Was Received']);
});

test('a case that changed twice is named once, with its newest notification', async () => {
  const due = digest();
  const { messages } = await prepare([due], [change(due, 'first'), change(due, 'second')]);
  expect(messages).toEqual([{ cases: [['Mom', 'of second']], hasMore: false }]);
});

test('there may be more where a digest is full', async () => {
  const due = digest();
  const changes = Array.from({ length: CHANGES_PER_DIGEST }, () => change(due));
  expect((await prepare([due], changes)).messages).toMatchObject([{ hasMore: true }]);
  expect((await prepare([due], changes.slice(0, -1))).messages).toMatchObject([{ hasMore: false }]);
});

test('a digest of snoozed cases is not sent and they are put back, and while cases is unavailable those with changes wait', async () => {
  const [due, empty] = [digest(), digest()];
  expect(await prepare([due, empty], [change(due)], { snoozed: true })).toMatchObject({
    ready: [],
    dropped: [
      [empty, 'nothing-changed'],
      [due, 'nothing-changed'],
    ],
    unavailable: undefined,
    heldBack: ['of Case Was Received'],
  });
  expect(await prepare([due, empty], [change(due)], { isUnavailable: true })).toMatchObject({
    ready: [],
    dropped: [[empty, 'nothing-changed']],
    unavailable: 'cases',
    heldBack: [],
  });
});
