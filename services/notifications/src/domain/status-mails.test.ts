import { randomUUID } from 'node:crypto';
import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DeliveryLog } from './delivery-log.ts';
import { type DueMail, statusMails } from './status-mails.ts';

/** Noon in UTC. */
const clock = createManualClock();
const NOW = clock.nowMs();
const HOUR_MS = 3_600_000;
const STATUS = {
  kind: 'status',
  receiptNumber: 'EAC9999103403',
  oldStatus: null,
  newStatus: 'Case Was Received',
} as const;
const ASKS = { ...STATUS, newStatus: 'Request for Initial Evidence Was Sent' };
const PLAN = { kind: 'plan', milestone: 'pro-ended', reason: null, effectiveAt: new Date(NOW) } as const;
const QUIET = { ...DEFAULTS, quietHours: { from: '11:00', until: '14:00' } };
const OFF = { ...DEFAULTS, email: { ...DEFAULTS.email, status: 'never' } } as const;

const mail = (more: Partial<DueMail> = {}): DueMail => ({
  id: randomUUID(),
  notificationId: randomUUID(),
  queuedAtMs: NOW,
  attempts: 1,
  userId: randomUUID(),
  subject: STATUS,
  createdAt: new Date(NOW),
  settings: DEFAULTS,
  restorableUntilMs: undefined,
  newerStatus: undefined,
  ...more,
});

async function prepare(
  due: readonly DueMail[],
  { withoutAccount = '', isUnavailable = false, casesFail = false, hasCase = true, snoozedMs = 0 } = {},
) {
  const asked: string[] = [];
  const logged: string[] = [];
  const services = createServiceClient({
    locate: () => ({
      kind: 'local',
      routes: [
        route(listMailAddresses, async ({ body }) => {
          asked.push('identity');
          if (isUnavailable) throw new Error('identity is unavailable');
          const known = body.userIds.filter((userId) => userId !== withoutAccount);
          const addresses = known.map((userId) => ({
            userId,
            email: 'ada@people.example',
            verified: true,
            language: 'es' as const,
          }));
          return { body: { addresses } };
        }),
        route(listCaseNicknames, async ({ body }) => {
          asked.push('cases');
          if (casesFail) throw new Error('cases is unavailable');
          const saved = hasCase ? body.cases : [];
          const nicknames = saved.map((one) => ({ ...one, nickname: 'Mom' }));
          const snoozedUntil = snoozedMs > 0 ? new Date(NOW + snoozedMs).toISOString() : null;
          const details = nicknames.map((one) => ({
            ...one,
            formType: 'I-130',
            snoozedUntil,
            archived: false,
          }));
          return { body: { nicknames, details } };
        }),
      ],
    }),
    internalSecret: 'unused',
  });
  const { ready, dropped, postponed, unavailable } = await statusMails({
    log: {} as DeliveryLog<DueMail>,
    services,
    compose: (
      { notificationId, nickname, formType, timeZone },
      { to, language, unsubscribeToken, date },
    ) => ({
      to,
      language,
      subject: `${nickname} ${formType}`,
      text: unsubscribeToken,
      html: timeZone ?? '',
      messageId: notificationId,
      date,
    }),
    tokens: { issue: (_to, kind) => kind, read: () => undefined },
    clock,
    logger: pino({}, { write: (line) => logged.push(JSON.parse(line).msg) }),
  }).prepare(due);
  return {
    ready: ready.map((one) => one.due),
    messages: ready.map((one) => one.message),
    dropped: dropped.map((one) => [one.due, one.reason]),
    postponed: postponed?.map(({ due: one, untilMs, reason }) => [
      one,
      untilMs - NOW,
      ...(reason === undefined ? [] : [reason]),
    ]),
    unavailable,
    asked,
    logged,
  };
}

test('days and times in an e-mail are those of the person', async () => {
  const { messages } = await prepare([
    mail({ settings: { ...DEFAULTS, timeZone: 'America/New_York' } }),
    mail(),
  ]);
  expect(messages.map(({ html }) => html)).toEqual(['America/New_York', '']);
});

test('what is not wanted any more, and what waits for the end of quiet hours, is settled without asking for addresses', async () => {
  const [unwanted, early] = [mail({ settings: OFF }), mail({ settings: QUIET })];
  expect(await prepare([unwanted, early])).toEqual({
    ready: [],
    messages: [],
    dropped: [[unwanted, 'opted-out']],
    postponed: [[early, 2 * HOUR_MS]],
    unavailable: undefined,
    asked: ['cases'],
    logged: [],
  });
});

test('what is not wanted is dropped when nothing postpones it any more: what is turned on again by then comes', async () => {
  const quiet = mail({ settings: { ...OFF, quietHours: QUIET.quietHours } });
  expect(await prepare([quiet])).toMatchObject({ dropped: [], postponed: [[quiet, 2 * HOUR_MS]] });
  const snoozed = mail({ settings: OFF });
  expect(await prepare([snoozed], { snoozedMs: HOUR_MS })).toMatchObject({
    dropped: [],
    postponed: [[snoozed, HOUR_MS]],
  });
});

test('while identity is unavailable these are settled all the same', async () => {
  const [unwanted, early, due] = [mail({ settings: OFF }), mail({ settings: QUIET }), mail()];
  expect(await prepare([unwanted, early, due], { isUnavailable: true })).toMatchObject({
    ready: [],
    dropped: [[unwanted, 'opted-out']],
    postponed: [[early, 2 * HOUR_MS]],
    unavailable: 'identity',
    logged: ['send mails: address lookup failed, will retry'],
  });
});

test('each is written with what is known of its case and the link that stops its kind; those without an account are dropped', async () => {
  const [status, urgent, deleted, early] = [
    mail(),
    mail({ subject: ASKS }),
    mail(),
    mail({ settings: QUIET }),
  ];
  const { ready, messages, dropped, postponed } = await prepare([status, urgent, deleted, early], {
    withoutAccount: deleted.userId,
  });
  expect(ready).toEqual([status, urgent]);
  const every = {
    to: 'ada@people.example',
    language: 'es',
    subject: 'Mom I-130',
    html: '',
    date: new Date(NOW),
  };
  expect(messages).toEqual([
    { ...every, messageId: status.notificationId, text: 'status' },
    { ...every, messageId: urgent.notificationId, text: 'needsAction' },
  ]);
  expect(dropped).toEqual([[deleted, 'no-account']]);
  expect(postponed).toEqual([[early, 2 * HOUR_MS]]);
});

test('of a snoozed case an e-mail waits, except when it needs action', async () => {
  const [waiting, urgent] = [mail(), mail({ subject: ASKS })];
  const { ready, postponed } = await prepare([waiting, urgent], { snoozedMs: 1 });
  expect(ready).toEqual([urgent]);
  expect(postponed).toEqual([[waiting, 1]]);
});

test('while cases is unavailable an e-mail waits, for its case may be snoozed; what needs action and what is about a plan do not', async () => {
  const [waiting, urgent, plan] = [mail(), mail({ subject: ASKS }), mail({ subject: PLAN })];
  const { ready, postponed, logged } = await prepare([waiting, urgent, plan], { casesFail: true });
  expect(ready).toEqual([urgent, plan]);
  expect(postponed).toEqual([[waiting, 60_000]]);
  expect(logged).toEqual(['send mails: case lookup failed, others wait']);
});

test('of a case that was removed only what needs action is sent, or what has just come; the rest waits for a restore', async () => {
  const createdAt = new Date(NOW - HOUR_MS - 1);
  const [old, urgent] = [mail({ createdAt }), mail({ createdAt, subject: ASKS })];
  const fresh = mail({ createdAt: new Date(NOW - HOUR_MS) });
  const { ready, dropped, postponed } = await prepare([old, urgent, fresh], { hasCase: false });
  expect(ready).toEqual([urgent, fresh]);
  expect(dropped).toEqual([]);
  expect(postponed).toEqual([[old, 30 * 24 * HOUR_MS, 'removed']]);
});

test('what waits for a restore waits until the case can not be restored any more, in quiet hours too', async () => {
  const createdAt = new Date(NOW - HOUR_MS - 1);
  const [waiting, over] = [1, 0].map((ms) =>
    mail({ createdAt, settings: QUIET, restorableUntilMs: NOW + ms }),
  );
  expect(await prepare([waiting, over] as DueMail[], { hasCase: false })).toMatchObject({
    ready: [],
    dropped: [[over, 'removed']],
    postponed: [[waiting, 1, 'removed']],
  });
  const restored = mail({ createdAt, restorableUntilMs: NOW });
  expect((await prepare([restored])).ready).toEqual([restored]);
  const inQuietHours = mail({ createdAt, settings: QUIET, restorableUntilMs: NOW });
  expect((await prepare([inQuietHours])).postponed).toEqual([[inQuietHours, 2 * HOUR_MS]]);
});

test('a reminder of a removed date waits an hour for the removal to be undone, and is then sent or dropped', async () => {
  const subject = {
    kind: 'date',
    receiptNumber: STATUS.receiptNumber,
    dateId: randomUUID(),
    dateKind: 'respond-by',
    day: '2026-01-06',
    label: null,
  } as const;
  const [first, again] = [mail({ subject }), mail({ subject, restorableUntilMs: NOW })];
  expect(await prepare([first, again], { hasCase: false })).toMatchObject({
    ready: [],
    dropped: [[again, 'removed']],
    postponed: [[first, HOUR_MS, 'removed']],
  });
  const late = mail({
    subject: { ...subject, day: new Date(NOW - 37 * HOUR_MS).toISOString().slice(0, 10) },
  });
  expect((await prepare([late])).dropped, 'its day is over').toEqual([[late, 'removed']]);
  // A case whose dates are not known has it.
  expect((await prepare([first, again])).ready).toEqual([first, again]);
});

test('cases is not asked about a plan', async () => {
  const plan = mail({ subject: PLAN });
  const { messages, asked, logged } = await prepare([plan]);
  expect(messages).toMatchObject([{ subject: 'undefined undefined', messageId: plan.notificationId }]);
  expect([asked, logged]).toEqual([['identity'], []]);
});
