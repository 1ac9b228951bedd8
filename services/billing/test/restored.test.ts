import { readFileSync } from 'node:fs';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { DAY_MS, startBilling } from './billing-fixture.ts';

/** docs/recovery.md: the database is older than what Stripe knows. */

const billing = await forThisFile(startBilling());
const guide = readFileSync(new URL('../../../docs/recovery.md', import.meta.url), 'utf8');
const statement = /^UPDATE billing\.customers SET[^;]+;$/m.exec(guide)?.[0] ?? '';

test('a user who paid after the point of a restore is Pro again once their customer is named to the product', async () => {
  const as = await billing.subscriber();
  await billing.settled();
  const customer = (await billing.row(as.userId))?.stripe_customer_id ?? '';
  await billing.database.query('DELETE FROM billing.subscriptions WHERE user_id = $1', [as.userId]);
  await billing.database.query(
    `UPDATE billing.customers SET stripe_customer_id = NULL, customer_asked_at = NULL, due_at = NULL, urgent = false
     WHERE user_id = $1`,
    [as.userId],
  );
  await billing.advance(DAY_MS);
  await billing.settled();
  // Nothing leads from the user to a customer that was made later.
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', status: null });

  const now = `'${new Date(billing.clock.nowMs()).toISOString()}'`;
  await billing.database.query(
    statement
      .replace('cus_example', customer)
      .replace(/[0-9a-f-]{36}/, as.userId)
      .replace('now()', now),
  );
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
});
