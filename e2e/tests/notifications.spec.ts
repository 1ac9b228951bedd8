import { expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { move } from '../src/steps.ts';

test('a watched case moves, and the bell rings once in every open tab', {
  tag: ['@main-flow', '@phone'],
}, async ({ context, page, product, proUser: _ }) => {
  const receiptNumber = newReceiptNumber();
  await move(product, receiptNumber, 'Case Was Received');
  await post(context.request, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'daily' });
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/');
  await page.getByTestId('notifications-bell').click();
  await expect(page.getByText('No notifications')).toBeVisible();
  await expectAccessible(page);

  const lookUp = async () => {
    const answer = await context.request.get(`/api/case-status/${receiptNumber}`);
    expect(answer.ok(), await answer.text()).toBe(true);
  };

  await lookUp();
  await move(product, receiptNumber, 'Case Was Approved');
  // A user's lookup is an observation like the scheduled ones.
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
  await expect(page).toHaveURL(`/cases/${receiptNumber}`);
  await expect(page.getByRole('heading', { name: receiptNumber, level: 1 })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectAccessible(page);
  for (const tab of [page, other]) await expect(tab.getByTestId('notifications-badge')).toHaveCount(0);

  await move(product, receiptNumber, 'Card Was Mailed To Me');
  await lookUp();
  await expect(page.getByTestId('notifications-badge')).toHaveText('1');
  // The open page of the case follows.
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('Card Was Mailed To Me');
  await page.getByTestId('notifications-bell').click();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await expectToast(page, 'All notifications marked as read');
  for (const tab of [page, other]) await expect(tab.getByTestId('notifications-badge')).toHaveCount(0);
});
