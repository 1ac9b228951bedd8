import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { DAY_MS, startBilling, until } from './billing-fixture.ts';

const billing = await forThisFile(startBilling());

test('a cancellation in the portal, which has a date of its own at Stripe, can be taken back', async () => {
  const as = await billing.subscriber();
  const before = await billing.subscription(as);
  const portal = (await (await billing.call('POST', '/api/billing/portal', as)).json()) as { url: string };
  await fetch(portal.url, { method: 'POST', body: new URLSearchParams({ action: 'cancel' }) });
  const canceled = await until(
    () => billing.subscription(as),
    ({ endsAt }) => endsAt !== null,
  );
  expect(canceled).toMatchObject({ endsAt: before.renewsAt, canCancel: false, canResume: true });
  expect(await (await billing.call('POST', '/api/billing/resume', as)).json()).toEqual(before);
  await billing.advance(32 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ renewsAt }) => renewsAt !== null && renewsAt !== before.renewsAt,
  );
});
