import { randomUUID } from 'node:crypto';
import { listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import { listCaseOverviews } from '@casewatch/contracts/case-overviews';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { digestMails } from './digest-mails.ts';
import type { DigestChange, DigestLog, DueDigest } from './digests.ts';

const clock = createManualClock();
const RECEIPT = 'EAC9999103403';
const digest = (
  email: NotificationSettings['email'],
  kind: DueDigest['kind'] = 'daily',
): DueDigest & { id: string } => ({
  id: randomUUID(),
  userId: randomUUID(),
  queuedAtMs: clock.nowMs(),
  attempts: 1,
  kind,
  period: '2026-01-05',
  settings: { ...DEFAULTS, email },
});
const NEVER = { status: 'never', needsAction: 'never', digest: 'never' } as const;

/** Prepares these digests; `changed`: those in which a case did; `asked`: the services, in order. */
async function prepare(
  due: readonly DueDigest[],
  {
    changed = [] as readonly DueDigest[],
    unavailable = '',
    unverified = [] as readonly DueDigest[],
    snoozed = false,
  } = {},
) {
  const asked: string[] = [];
  const ask = (service: string) => {
    asked.push(service);
    if (unavailable === service) throw new Error(`${service} is unavailable`);
  };
  const services = createServiceClient({
    locate: () => ({
      kind: 'local',
      routes: [
        route(listMailAddresses, async ({ body }) => {
          ask('identity');
          const addresses = body.userIds.map((userId) => ({
            userId,
            email: 'ada@people.example',
            verified: !unverified.some((one) => one.userId === userId),
            language: 'es' as const,
          }));
          return { body: { addresses } };
        }),
        route(listCaseOverviews, async () => {
          ask('cases');
          return { body: { cases: [] } };
        }),
        route(listCaseNicknames, async ({ body }) => {
          const snoozedUntil = snoozed ? new Date(clock.nowMs() + 1_000).toISOString() : null;
          const details = body.cases.map((one) => ({
            ...one,
            nickname: null,
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
  const changesOf = async (digests: readonly DueDigest[]): Promise<DigestChange[]> =>
    digests
      .filter((one) => changed.includes(one))
      .map(({ id }) => ({
        digestId: id,
        notificationId: `of ${id}`,
        receiptNumber: RECEIPT,
        oldStatus: null,
        newStatus: 'new',
        newestStatus: 'new',
        createdAt: new Date(clock.nowMs()),
      }));
  const heldBack: string[] = [];
  const putBack: DigestLog['putBack'] = async (held) => {
    heldBack.push(...held.map((one) => one.notificationId));
  };
  const kind = digestMails({
    log: { changesOf, putBack } as Pick<DigestLog, 'changesOf' | 'putBack'> as DigestLog,
    services,
    compose: (one, { changed: cases }, { to, language, unsubscribeToken, date }) => ({
      to,
      language,
      subject: `${cases.length} changed`,
      text: unsubscribeToken,
      html: '',
      messageId: one.id,
      date,
    }),
    tokens: { issue: ({ userId }, of) => `${userId} ${of}`, read: () => undefined },
    clock,
    logger: pino({ level: 'silent' }),
  });
  const prepared = await kind.prepare(due);
  return {
    ready: prepared.ready.map((one) => one.due),
    messages: prepared.ready.map((one) => one.message),
    dropped: prepared.dropped.map((one) => [one.due, one.reason]),
    unavailable: prepared.unavailable,
    asked,
    heldBack,
  };
}

test('without changes only the digest that was chosen as an overview is sent', async () => {
  const daily = digest({ ...NEVER, status: 'daily', digest: 'weekly' });
  const weekly = digest({ ...NEVER, status: 'daily', digest: 'weekly' }, 'weekly');
  const { ready, dropped } = await prepare([daily, weekly]);
  expect(ready).toEqual([weekly]);
  expect(dropped).toEqual([[daily, 'nothing-changed']]);
});

test('with changes it is sent in the language of the account, with the link that stops digests', async () => {
  const due = digest({ ...NEVER, status: 'daily' });
  const { ready, messages } = await prepare([due], { changed: [due] });
  expect(ready).toEqual([due]);
  expect(messages).toEqual([
    {
      to: 'ada@people.example',
      language: 'es',
      subject: '1 changed',
      text: `${due.userId} digest`,
      html: '',
      messageId: due.id,
      date: new Date(clock.nowMs()),
    },
  ]);
});

test('nothing is asked for digests that would say nothing', async () => {
  const [unwanted, empty] = [digest(NEVER), digest({ ...NEVER, needsAction: 'daily' })];
  const { dropped, asked, unavailable } = await prepare([unwanted, empty]);
  expect(unavailable).toBeUndefined();
  expect(dropped).toEqual([
    [unwanted, 'opted-out'],
    [empty, 'nothing-changed'],
  ]);
  expect(asked).toEqual([]);
});

test('a digest that is not wanted is not sent, and what is snoozed in it waits: it may be wanted then', async () => {
  const due = digest(NEVER);
  expect(await prepare([due], { changed: [due] })).toMatchObject({
    ready: [],
    dropped: [[due, 'opted-out']],
    heldBack: [],
    asked: ['cases'],
  });
  expect(await prepare([due], { changed: [due], snoozed: true })).toMatchObject({
    dropped: [[due, 'opted-out']],
    heldBack: [`of ${due.id}`],
  });
});

test('a digest without an address is dropped with the reason', async () => {
  const due = digest({ ...NEVER, status: 'daily' });
  const { dropped, unavailable } = await prepare([due], { changed: [due], unverified: [due] });
  expect(unavailable).toBeUndefined();
  expect(dropped).toEqual([[due, 'unverified']]);
});

test.each(['identity', 'cases'])(
  'while %s is unavailable the others are settled, and this one waits',
  async (name) => {
    const [due, empty] = [digest({ ...NEVER, status: 'daily' }), digest({ ...NEVER, status: 'daily' })];
    const prepared = await prepare([due, empty], { changed: [due], unavailable: name });
    expect(prepared).toMatchObject({ ready: [], dropped: [[empty, 'nothing-changed']], unavailable: name });
  },
);

test('a digest in which only snoozed cases changed is sent as an overview or not at all', async () => {
  const daily = digest({ ...NEVER, status: 'daily' });
  const asOverview = digest({ ...NEVER, status: 'daily', digest: 'daily' });
  const both = [daily, asOverview];
  const { ready, dropped, messages, heldBack } = await prepare(both, { changed: both, snoozed: true });
  expect(ready).toEqual([asOverview]);
  expect(messages).toMatchObject([{ subject: '0 changed' }]);
  expect(dropped).toEqual([[daily, 'nothing-changed']]);
  expect(heldBack).toEqual(both.map(({ id }) => `of ${id}`));
});
