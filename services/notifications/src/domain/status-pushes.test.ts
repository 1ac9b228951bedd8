import { randomUUID } from 'node:crypto';
import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DeliveryLog } from './delivery-log.ts';
import { type DuePush, statusPushes } from './status-pushes.ts';

/** Noon in UTC. */
const clock = createManualClock();
const NOW = clock.nowMs();
const HOUR_MS = 3_600_000;
const RECEIPT = 'EAC9999103403';
const SUBJECT = {
  kind: 'status',
  receiptNumber: RECEIPT,
  oldStatus: null,
  newStatus: 'Case Was Received',
} as const;
const ASKS = { ...SUBJECT, newStatus: 'Request for Initial Evidence Was Sent' };
const QUIET = { from: '11:00', until: '14:00' };
const DEVICE = {
  id: 'phone',
  userId: 'ada',
  sessionId: 'session',
  endpoint: 'https://push.example.com/1',
  p256dh: '',
  auth: '',
  publicKey: 'ours',
  showReceiptNumbers: false,
  language: 'en',
} as const;

const push = (more: Partial<DuePush> = {}): DuePush => ({
  id: randomUUID(),
  queuedAtMs: NOW,
  attempts: 1,
  notificationId: randomUUID(),
  userId: randomUUID(),
  subject: SUBJECT,
  createdAt: new Date(NOW),
  settings: DEFAULTS,
  device: DEVICE,
  newer: null,
  restorableUntilMs: undefined,
  ...more,
});

/** Prepares these messages; `snoozedMs`: for how long their cases are snoozed. */
async function prepare(due: readonly DuePush[], { snoozedMs = 0, hasCase = true, casesFail = false } = {}) {
  const snoozedUntil = snoozedMs > 0 ? new Date(NOW + snoozedMs).toISOString() : null;
  let asked = 0;
  const logged: string[] = [];
  const names = route(listCaseNicknames, async ({ body }) => {
    asked += body.cases.length;
    if (casesFail) throw new Error('cases is unavailable');
    const nicknames = (hasCase ? body.cases : []).map((one) => ({ ...one, nickname: 'Mom' }));
    const details = nicknames.map((one) => ({ ...one, formType: 'I-130', snoozedUntil, archived: false }));
    return { body: { nicknames, details } };
  });
  const { ready, dropped, postponed } = await statusPushes({
    log: {} as DeliveryLog<DuePush>,
    services: createServiceClient({
      locate: () => ({ kind: 'local', routes: [names] }),
      internalSecret: 'unused',
    }),
    compose: ({ device }, { nickname, formType }) => ({
      target: device,
      payload: `${nickname} ${formType}`,
      ttlSeconds: 60,
      urgency: 'normal',
      topic: 't',
    }),
    publicKey: 'ours',
    isAllowed: (endpoint) => endpoint.startsWith('https://push.example.com/'),
    clock,
    logger: pino({}, { write: (line) => logged.push(JSON.parse(line).msg) }),
  }).prepare(due);
  return {
    ready: ready.map((one) => [one.due, one.message.payload]),
    dropped: dropped.map((one) => [one.due, one.reason]),
    postponed: postponed?.map((one) => [one.due, one.untilMs - NOW]),
    asked,
    logged,
  };
}

test('a message that is not to be sent any more is dropped with the reason, and nothing is asked for it', async () => {
  const never = { ...DEFAULTS, push: { ...DEFAULTS.push, status: 'never' } } as const;
  const due = [
    push({ newer: 'queued', settings: never }),
    push({ device: { ...DEVICE, publicKey: 'earlier', endpoint: 'https://elsewhere.example.com/' } }),
    push({ device: { ...DEVICE, endpoint: 'https://elsewhere.example.com/' } }),
  ];
  const { ready, dropped, asked } = await prepare(due);
  expect(dropped).toEqual([
    [due[0], 'superseded'],
    [due[1], 'other-key'],
    [due[2], 'host-not-allowed'],
  ]);
  expect([ready, asked]).toEqual([[], 0]);
});

test('a message that is not wanted is dropped, when nothing postpones it any more', async () => {
  const due = push({ settings: { ...DEFAULTS, push: { ...DEFAULTS.push, status: 'never' } } });
  expect((await prepare([due])).dropped).toEqual([[due, 'opted-out']]);
  expect(await prepare([due], { snoozedMs: 1 })).toMatchObject({ dropped: [], postponed: [[due, 1]] });
});

test.each([
  ['is dropped', 'is due', SUBJECT, 'queued'],
  ['that needs action is sent', 'is due', ASKS, 'queued'],
  ['is dropped', 'was sent', SUBJECT, 'sent'],
  ['that needs action is dropped', 'was sent', ASKS, 'sent'],
] as const)('a message %s when a newer one %s', async (becomes, _, subject, newer) => {
  const due = push({ newer, subject });
  const { ready, dropped } = await prepare([due]);
  const isDropped = becomes.endsWith('dropped');
  expect([ready.length, dropped]).toEqual(isDropped ? [0, [[due, 'superseded']]] : [1, []]);
});

test('a message that became collected after it was queued is sent all the same', async () => {
  const due = push({ settings: { ...DEFAULTS, push: { ...DEFAULTS.push, status: 'daily' } } });
  expect((await prepare([due])).ready).toEqual([[due, 'Mom I-130']]);
});

test.each([
  ['quiet hours', QUIET, 0, 2 * HOUR_MS],
  ['a snooze', null, HOUR_MS, HOUR_MS],
  ['quiet hours that are longer than the snooze', QUIET, HOUR_MS, 2 * HOUR_MS],
  ['quiet hours, and then of a snooze that is longer', QUIET, 3 * HOUR_MS, 2 * HOUR_MS],
])(
  'a message waits for the end of %s; what needs action does not',
  async (_of, quietHours, snoozedMs, waitMs) => {
    const settings = { ...DEFAULTS, quietHours };
    const [waiting, urgent] = [push({ settings }), push({ settings, subject: ASKS })];
    const { ready, postponed } = await prepare([waiting, urgent], { snoozedMs });
    expect(postponed).toEqual([[waiting, waitMs]]);
    expect(ready).toEqual([[urgent, 'Mom I-130']]);
  },
);

test('a plan has no case to ask for, and two devices of a user ask once', async () => {
  const subject = { kind: 'plan', milestone: 'pro-ended', reason: null, effectiveAt: new Date(NOW) } as const;
  const plan = push({ subject });
  expect(await prepare([plan])).toMatchObject({ ready: [[plan, 'undefined undefined']], asked: 0 });
  const { userId } = plan;
  const twice = [push({ userId }), push({ userId, device: { ...DEVICE, id: 'laptop' } })];
  expect(await prepare(twice)).toMatchObject({ ready: [{}, {}], asked: 1 });
});

test('while cases is unavailable a message waits, and of a case that was removed an old one waits for a restore', async () => {
  const [waiting, urgent] = [push(), push({ subject: ASKS })];
  const failed = await prepare([waiting, urgent], { casesFail: true });
  expect(failed.postponed).toEqual([[waiting, 60_000]]);
  expect(failed.ready).toEqual([[urgent, 'undefined undefined']]);
  expect(failed.logged).toEqual(['send push: case lookup failed, others wait']);
  const old = push({ createdAt: new Date(NOW - HOUR_MS - 1) });
  expect(await prepare([old, waiting], { hasCase: false })).toMatchObject({
    dropped: [],
    postponed: [[old, 30 * 24 * HOUR_MS]],
    ready: [[waiting, 'undefined undefined']],
  });
  const over = push({ createdAt: old.createdAt, restorableUntilMs: NOW });
  expect((await prepare([over], { hasCase: false })).dropped).toEqual([[over, 'removed']]);
});
