import { expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';
import { type StartedProduct, startProduct } from '../src/start-product.ts';

let product: StartedProduct;
test.beforeAll(async () => {
  // Every look-up asks the agency.
  product = await startProduct({ FRESHNESS_SECONDS: '0' });
});
test.afterAll(() => product.stop());

test('a watched case moves, and the bell rings once in every open tab', { tag: '@main-flow' }, async ({
  context,
  page,
}) => {
  const post = async (path: string, data: unknown) => {
    const answer = await context.request.post(product.url + path, { data, headers: { origin: product.url } });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await post('/api/auth/login', { email: 'pro@demo.test', password: 'demo-demo-demo' });
  const receiptNumber = newReceiptNumber();
  await move(receiptNumber, 'Case Was Received');
  await post('/api/saved-cases', { receiptNumber, monitoringFrequency: 'daily' });
  await page.goto(product.url);
  const other = await context.newPage();
  await other.goto(product.url);
  await page.getByTestId('notifications-bell').click();
  await expect(page.getByText('No notifications')).toBeVisible();
  await expectAccessible(page);

  const lookUp = async () => {
    const answer = await context.request.get(`${product.url}/api/case-status/${receiptNumber}`);
    expect(answer.ok(), await answer.text()).toBe(true);
  };

  await lookUp();
  await move(receiptNumber, 'Case Was Approved');
  // Somebody's look-up is an observation like the scheduled ones.
  await lookUp();

  for (const tab of [page, other]) await expect(tab.getByTestId('notifications-badge')).toHaveText('1');
  const item = page.getByTestId('notification-item');
  await expect(item).toHaveCount(1);
  for (const words of [receiptNumber, 'Status changed', 'Case Was Received → Case Was Approved']) {
    await expect(item).toContainText(words);
  }
  await expect(item).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2} [AP]M/);
  await expect(item.getByTestId('notification-dot')).toBeVisible();
  await expectAccessible(page);

  await item.click();
  await expect(page.getByTestId('notification-dot')).toHaveCount(0);
  for (const tab of [page, other]) await expect(tab.getByTestId('notifications-badge')).toHaveCount(0);

  await move(receiptNumber, 'Card Was Mailed To Me');
  await lookUp();
  await expect(page.getByTestId('notifications-badge')).toHaveText('1');
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await expectToast(page, 'All notifications marked as read');
  for (const tab of [page, other]) await expect(tab.getByTestId('notifications-badge')).toHaveCount(0);
});

async function move(receiptNumber: string, status: string): Promise<void> {
  const answer = await fetch(`${product.agencyUrl}/__control/cases/${receiptNumber}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  expect(answer.ok).toBe(true);
}
