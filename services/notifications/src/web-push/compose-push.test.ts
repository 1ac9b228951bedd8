import type { Language } from '@casewatch/contracts/languages';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { STATUS_TITLES } from '@casewatch/contracts/status-guide';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import type { ChangedCase } from '../domain/digests.ts';
import { createPushComposer } from './compose-push.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const clock = createManualClock();
const { compose, composeDigest, composeTest } = createPushComposer({
  secret: 'unused',
  keptMs: 3_600_000,
});

test.each([
  [null, 'January 9, 2026 (UTC)'],
  ['America/Los_Angeles', 'January 8, 2026'],
  ['Pacific/Auckland', 'January 9, 2026'],
])('of the plan it names the day in the time zone that its reader chose: %s', (timeZone, day) => {
  const push = compose(
    {
      id: ID,
      notificationId: ID,
      userId: ID,
      queuedAtMs: clock.nowMs(),
      attempts: 1,
      createdAt: new Date(clock.nowMs()),
      newer: null,
      restorableUntilMs: undefined,
      subject: {
        kind: 'plan',
        milestone: 'trial-ending',
        reason: null,
        effectiveAt: new Date('2026-01-09T01:00:00Z'),
      },
      settings: { ...DEFAULT_NOTIFICATION_SETTINGS, timeZone },
      device: {
        id: ID,
        userId: 'ada',
        sessionId: 'session',
        endpoint: 'https://push.example.com/1',
        p256dh: '',
        auth: '',
        publicKey: '',
        showReceiptNumbers: false,
        language: 'en',
      },
    },
    {},
  );
  expect(JSON.parse(push.payload)).toMatchObject({
    title: `Your free trial ends on ${day}`,
    text: `The first payment is taken on ${day}, and Pro continues. Cancel before then and you pay nothing.`,
  });
});

const device = {
  id: ID,
  userId: 'ada',
  sessionId: 'session',
  endpoint: 'https://push.example.com/1',
  p256dh: '',
  auth: '',
  publicKey: '',
  showReceiptNumbers: false,
  language: 'en',
} as const;
const due = {
  id: ID,
  notificationId: ID,
  userId: ID,
  queuedAtMs: clock.nowMs(),
  attempts: 1,
  createdAt: new Date(0),
  newer: null,
  restorableUntilMs: undefined,
  settings: DEFAULT_NOTIFICATION_SETTINGS,
  device,
} as const;
const status = (newStatus: string, oldStatus: string | null = null) =>
  ({ kind: 'status', receiptNumber: 'EAC9999103403', oldStatus, newStatus }) as const;
const plan = (milestone: 'pro-returned' | 'payment-failed' | 'pro-ended' | 'trial-ending') =>
  ({ kind: 'plan', milestone, reason: null, effectiveAt: new Date(0) }) as const;
const ASKS = 'Request for Initial Evidence Was Sent';

test.each([
  ['what needs action', status(ASKS), 'high'],
  ['another change', status('Case Was Received'), 'normal'],
  ['a payment that failed', plan('payment-failed'), 'high'],
  ['the end of a trial', plan('trial-ending'), 'high'],
  ['a plan that is back', plan('pro-returned'), 'normal'],
] as const)('of %s a device that saves power learns in time: %o', (_what, subject, urgency) => {
  expect(compose({ ...due, subject }, {}).urgency).toBe(urgency);
});

test('messages about one plan, or one case, replace each other on a device, and no other', () => {
  const topics = [
    compose({ ...due, subject: plan('payment-failed') }, {}),
    compose({ ...due, subject: plan('pro-ended') }, {}),
    compose({ ...due, subject: status('one') }, {}),
    compose({ ...due, subject: status('two') }, {}),
    compose({ ...due, subject: status('two'), device: { ...device, id: 'laptop' } }, {}),
  ].map(({ topic }) => topic);
  expect(topics.map((topic) => topics.indexOf(topic))).toEqual([0, 0, 2, 2, 4]);
  for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/);
});

test('a message is kept for as long as it would be tried again, and at least for a minute', () => {
  const ttlOf = (waitedMs: number) =>
    compose({ ...due, subject: status('one'), queuedAtMs: clock.nowMs() - waitedMs }, {}).ttlSeconds;
  expect([0, 7_200_000].map(ttlOf)).toEqual([3_600, 3_600]);
});

test('texts that others wrote have at most 160 characters', () => {
  const textsOf = (length: number) => {
    const text = 'x'.repeat(length);
    const { payload } = compose({ ...due, subject: status(text, text) }, { nickname: text });
    const { name, oldStatus, newStatus } = JSON.parse(payload);
    return [name, oldStatus, newStatus];
  };
  expect(textsOf(160)).toEqual(Array(3).fill('x'.repeat(160)));
  expect(textsOf(161)).toEqual(Array(3).fill(`${'x'.repeat(159)}…`));
});

test('a status without an explanation has none', () => {
  const { payload } = compose({ ...due, subject: status('Your Horoscope Was Consulted') }, {});
  expect(JSON.parse(payload)).toMatchObject({ means: '', name: '', oldStatus: null });
});

test('in Spanish a status that is not known is named as the agency names it', () => {
  const own = { status: 'Your Horoscope Was Consulted', statusEs: 'Se consultó su horóscopo' };
  const subject = status(own.status);
  const { payload } = compose({ ...due, subject, device: { ...device, language: 'es' } }, own);
  expect(JSON.parse(payload)).toMatchObject({ newStatus: own.statusEs });
  expect(JSON.parse(compose({ ...due, subject }, own).payload)).toMatchObject({ newStatus: own.status });
  const [one] = changed(1, own.status);
  expect(one && digestOf(0, false, '', [{ ...one, own }], 'es').message.text).toBe(`case 0: ${own.statusEs}`);
});

test.each([
  ['en', 'Case Was Denied', /^Read the notice now/],
  ['en', 'Case Was Rejected Because I Did Not Sign My Form', /File again right away/],
  ['en', 'Notice of Intent to Deny Was Sent', /^Answer by the date printed/],
  ['en', 'Petition Was Denied For Abandonment', /look for a notice in your mail/],
  ['es', 'Case Was Denied', /^Lea el aviso ya/],
  ['es', 'Case Was Rejected Because I Did Not Sign My Form', /Preséntela de nuevo enseguida/],
  ['es', 'Notice of Intent to Deny Was Sent', /^Responda antes de la fecha/],
  ['es', 'Petition Was Denied For Abandonment', /busque un aviso en su correo postal/],
] as const)('in %s a message about "%s" carries the next step, and is urgent', (language, title, todo) => {
  const push = compose({ ...due, subject: status(title), device: { ...device, language } }, {});
  const message = JSON.parse(push.payload);
  expect(push.urgency).toBe('high');
  expect(message.todo).toMatch(todo);
  expect(message.means).not.toBe('');
});

test('a message stays below the limit of push services with the longest texts there are', () => {
  const text = 'ﷺ'.repeat(160);
  for (const language of ['en', 'es'] as const)
    for (const title of [...STATUS_TITLES, 'Denied '.repeat(140)])
      for (const formType of ['', 'I-485', 'I-539', 'I-589', 'I-751', 'N-400']) {
        const shown = { ...device, language, showReceiptNumbers: true };
        const push = compose(
          { ...due, subject: status(title, text), device: shown },
          { nickname: text, formType },
        );
        expect(Buffer.byteLength(push.payload), title).toBeLessThanOrEqual(3_000);
      }
});

test('a status that asks nothing has no next step', () => {
  const { payload } = compose({ ...due, subject: status('Case Was Received') }, {});
  expect(JSON.parse(payload)).not.toHaveProperty('todo');
});

test('a test is kept for a minute, is urgent and has a topic of its own', () => {
  const push = composeTest(device, 1_000);
  expect(push).toMatchObject({ target: device, ttlSeconds: 60, urgency: 'high' });
  expect(JSON.parse(push.payload)).toMatchObject({ id: 'test-1000', tag: push.topic, at: 1_000 });
  expect(push.topic).not.toBe(compose({ ...due, subject: plan('pro-ended') }, {}).topic);
});

const changed = (count: number, newStatus = 'Case Was Received'): ChangedCase[] =>
  Array.from({ length: count }, (_, nth) => ({
    receiptNumber: `EAC${nth}`,
    nickname: `case ${nth}`,
    formType: null,
    oldStatus: null,
    between: [],
    newStatus,
    notificationId: `n${nth}`,
  }));
const digestOf = (
  count: number,
  hasMore = false,
  newStatus?: string,
  last = changed(0),
  language: Language = 'en',
) => {
  const push = composeDigest(
    {
      id: ID,
      userId: ID,
      kind: 'daily',
      period: '2026-01-05',
      queuedAtMs: clock.nowMs() - 1_000,
      attempts: 1,
      settings: DEFAULT_NOTIFICATION_SETTINGS,
      device: { ...device, language },
    },
    [...changed(count, newStatus), ...last],
    hasMore,
  );
  return { ...push, message: JSON.parse(push.payload) };
};

test.each([
  [1, false, 'One of your cases changed', '/notifications/n0', undefined],
  [1, true, '1 or more of your cases changed', '/saved-cases?sort=changed', 'and more'],
  [3, false, '3 of your cases changed', '/saved-cases?sort=changed', undefined],
  [4, false, '4 of your cases changed', '/saved-cases?sort=changed', 'and 1 more'],
  [4, true, '4 or more of your cases changed', '/saved-cases?sort=changed', 'and more'],
])(
  'a digest of %i cases (more: %s) names three, counts the rest and leads to them',
  (count, hasMore, title, path, rest) => {
    const { message } = digestOf(count, hasMore);
    expect(message).toMatchObject({ title, path, at: clock.nowMs() - 1_000 });
    const names = changed(Math.min(count, 3)).map(({ nickname }) => `${nickname}: Case Was Received`);
    expect(message.text.split('\n')).toEqual([...names, ...(rest ? [rest] : [])]);
  },
);

test('a digest is urgent where a case needs action, and its lines have at most 120 characters', () => {
  expect(digestOf(2).urgency).toBe('normal');
  expect(digestOf(2, false, undefined, changed(1, ASKS)).urgency).toBe('high');
  expect(digestOf(2).ttlSeconds).toBe(3_600);
  const lengthOf = (status: number) => digestOf(1, false, 'x'.repeat(status)).message.text.length;
  expect([lengthOf(112), lengthOf(113)]).toEqual([120, 120]);
  expect(digestOf(1, false, 'x'.repeat(112)).message.text).not.toContain('…');
  expect(digestOf(1, false, 'x'.repeat(113)).message.text).toMatch(/x…$/);
});
