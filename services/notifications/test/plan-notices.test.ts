import { emailLinkPath } from '@casewatch/contracts/app-pages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailFixture, PUBLIC_URL, startMailing } from './mail-fixture.ts';

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterAll(() => mailing.stop());

test('the end of Pro is one notification and one e-mail with the reason and a link, however often the event comes', async () => {
  const { userId, email } = mailing.person();
  const id = await mailing.planMilestone(userId, 'pro-ended', { reason: 'payment-failed' });
  await mailing.database.query('DELETE FROM notifications.inbox');
  await Promise.all([1, 2, 3].map(() => mailing.planMilestone(userId, 'pro-ended', { id })));
  const list = await mailing.call('GET', '/api/notifications', { as: { userId } });
  expect(await list.json()).toEqual([
    {
      id,
      userId,
      kind: 'plan',
      milestone: 'pro-ended',
      reason: 'payment-failed',
      effectiveAt: new Date(mailing.clock.nowMs()).toISOString(),
      createdAt: new Date(mailing.clock.nowMs()).toISOString(),
      read: false,
      order: '0000000000000000000-0000000001',
    },
  ]);
  await mailing.becomes(id, 'sent');
  const [mail, ...others] = mailing.server.to(email);
  expect(others).toEqual([]);
  expect(mail?.parsed.subject).toBe('Casewatch: Pro has ended');
  expect(mail?.parsed.text).toContain('because the payment failed');
  expect(mail?.parsed.text).toContain(PUBLIC_URL + emailLinkPath('/upgrade'));
  expect(mail?.parsed.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
});

test.each([
  ['en', 'Casewatch: The price of Pro changes on January', 'Pro will cost $12 a month instead of $9.'],
  ['es', 'Casewatch: El precio de Pro cambia el', 'Pro costará $12 al mes en lugar de $9.'],
] as const)(
  'a change of the price is one e-mail (%s) and one notification, with both prices',
  async (language, title, text) => {
    const { userId, email } = mailing.person();
    mailing.directory.languages.set(userId, language);
    await mailing.call('PUT', '/api/notifications/preferences', { as: { userId }, body: { email: false } });
    const priceChange = { oldCents: 900, newCents: 1200, yearly: false };
    const id = await mailing.planMilestone(userId, 'price-changing', { priceChange });
    await mailing.planMilestone(userId, 'price-changing', { id, priceChange });
    await mailing.becomes(id, 'sent');
    const list = await mailing.call('GET', '/api/notifications', { as: { userId } });
    expect(await list.json()).toMatchObject([{ id, milestone: 'price-changing', priceChange }]);
    const [mail, ...others] = mailing.server.to(email);
    expect(others).toEqual([]);
    expect(mail?.parsed.subject).toContain(title);
    expect(mail?.parsed.text).toContain(text);
    expect(mail?.parsed.text).toContain(PUBLIC_URL + emailLinkPath('/profile'));
  },
);

test('a user that has stopped e-mails about cases gets those about the plan', async () => {
  const { userId, email } = mailing.person();
  await mailing.call('PUT', '/api/notifications/preferences', { as: { userId }, body: { email: false } });
  const ofCase = await mailing.statusChanged(userId);
  const ofPlan = await mailing.planMilestone(userId, 'trial-ending');
  await mailing.becomes(ofPlan, 'sent');
  expect(await mailing.rowOf(ofCase)).toMatchObject({ state: 'skipped' });
  expect(mailing.server.to(email).map(({ parsed }) => parsed.subject)).toEqual([
    expect.stringMatching(/^Casewatch: Your free trial ends on /),
  ]);
});

test('notices of the plan and of cases come in their order, in the list and through the stream', async () => {
  const { userId } = mailing.person();
  const stream = await mailing.stream(userId);
  await stream.next();
  await mailing.planMilestone(userId, 'payment-failed');
  await mailing.statusChanged(userId, { newStatus: 'Case Was Approved' });
  await mailing.planMilestone(userId, 'pro-returned');
  for (const came of [
    { kind: 'plan', milestone: 'payment-failed' },
    { kind: 'status', newStatus: 'Case Was Approved' },
    { kind: 'plan', milestone: 'pro-returned' },
  ]) {
    expect(await stream.next()).toMatchObject({ event: 'notification', data: came });
  }
  expect(await mailing.statuses(userId)).toEqual(['pro-returned', 'Case Was Approved', 'payment-failed']);
  await stream.close();
});

test('a late notice does not restore a deleted user', async () => {
  const { userId } = mailing.person();
  await mailing.planMilestone(userId, 'trial-ending');
  await mailing.userDeleted(userId);
  await mailing.planMilestone(userId, 'pro-ended', { reason: 'canceled' });
  const rows = await mailing.database.query('SELECT 1 FROM notifications.notifications WHERE user_id = $1', [
    userId,
  ]);
  expect(rows).toEqual([]);
});
