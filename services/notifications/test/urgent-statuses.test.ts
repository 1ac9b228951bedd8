import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { digestWaits } from './digest-waits.ts';
import { type MailFixture, startMailing } from './mail-fixture.ts';
import { RECEIPT } from './notifications-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterEach(() => mailing.calm());
afterAll(() => mailing.stop());
const { settled } = digestWaits('email', () => mailing);

/** The third is written as no list writes it, the last three are in none. */
const URGENT = [
  'Case Was Denied',
  'Case Was Rejected Because I Did Not Sign My Form',
  'NOTICE OF  INTENT TO DENY WAS MAILED.',
  'Case Approval Was Revoked',
  'Your Waiver Request Was Denied By The Director',
  'Notice of Intent to Terminate Was Sent',
  'Case Will Be Denied Unless You Respond',
];
const CASES = LANGUAGES.flatMap((language) => URGENT.map((status) => ({ language, status })));
const CALM = 'Fingerprint Fee Was Received';

const todo = (status: string, language: Language) => guidanceFor(status, 'I-130', language).todo;
const clockTime = (atMs: number) => new Date(atMs).toISOString().slice(11, 16);
/** A user in quiet hours whose only case is snoozed. */
const person = async (language: Language, email: Partial<typeof DEFAULTS.email>) => {
  const { userId, email: address } = mailing.person();
  const nowMs = mailing.clock.nowMs();
  const snoozedUntil = new Date(nowMs + 20 * DAY_MS).toISOString();
  const overview = { nickname: null, formType: 'I-130', status: CALM, statusChangedAt: null, snoozedUntil };
  mailing.directory.languages.set(userId, language);
  mailing.directory.snoozed.set(userId, snoozedUntil);
  mailing.directory.overviews.set(userId, [{ ...overview, userId, receiptNumber: RECEIPT }]);
  const answer = await mailing.call('PUT', '/api/notifications/settings', {
    as: { userId },
    body: {
      ...DEFAULTS,
      quietHours: { from: clockTime(nowMs - HOUR_MS), until: clockTime(nowMs + 5 * HOUR_MS) },
      digestHour: new Date(nowMs).getUTCHours(),
      digestDay: (new Date(nowMs).getUTCDay() % 7) + 1,
      email: { ...DEFAULTS.email, ...email },
    },
  });
  expect(answer.status).toBe(200);
  const texts = () => mailing.server.to(address).map(({ parsed }) => parsed.text);
  return { userId, texts };
};

test.each(CASES)(
  '$status ($language) is sent at once, at night, of a snoozed case, past a weekly digest, with what to do',
  async ({ language, status }) => {
    const { userId, texts } = await person(language, { status: 'weekly', needsAction: 'immediately' });
    const calm = await mailing.statusChanged(userId, { newStatus: CALM });
    await mailing.becomes(
      await mailing.statusChanged(userId, { oldStatus: CALM, newStatus: status }),
      'sent',
    );
    expect(texts()).toEqual([expect.stringContaining(todo(status, language))]);
    expect(await mailing.rowOf(calm)).toMatchObject({ state: 'skipped', last_error: 'in-digest' });
    const list = await mailing.call('GET', '/api/notifications', { as: { userId } });
    expect(await list.json()).toMatchObject([
      { newStatus: status, needsAction: true },
      { newStatus: CALM, needsAction: false },
    ]);
  },
);

test.each(CASES)(
  '$status ($language) is in the digest of a snoozed case, with what to do, and what is calm is not',
  async ({ language, status }) => {
    const { userId, texts } = await person(language, { status: 'daily', needsAction: 'daily' });
    await mailing.statusChanged(userId, { receiptNumber: RECEIPT, newStatus: status });
    await mailing.statusChanged(userId, { receiptNumber: 'EAC9999103404', newStatus: CALM });
    await mailing.clock.jump(DAY_MS);
    await settled(userId, 1);
    expect(texts()).toEqual([expect.stringContaining(todo(status, language))]);
    expect(texts()[0]).not.toContain('EAC******3404');
  },
);
