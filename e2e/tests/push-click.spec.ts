import { expect, test } from '../src/fixtures.ts';
import { receiptField } from '../src/steps.ts';

test.use({ serviceWorkers: 'allow' });

test('a click on a push message opens its page in the open app, which is not loaded anew', async ({
  page,
  context,
  freeUser: _user,
}) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect
    .poll(async () => {
      await page.reload();
      return page.evaluate(() => navigator.serviceWorker.controller?.state);
    })
    .toBe('activated');
  await receiptField(page).fill('IOE09');
  await page.evaluate(() => {
    document.documentElement.dataset.loaded = 'before the click';
  });
  const [worker] = context.serviceWorkers();
  // As the browser does; only a person can click on a message of the system.
  await worker?.evaluate(async () => {
    let handled: Promise<unknown> | undefined;
    const notification = { close: () => undefined, data: { path: '/saved-cases' } };
    const waitUntil = (promise: Promise<unknown>) => {
      handled = promise;
    };
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }));
    await handled;
  });
  await expect(page).toHaveURL('/saved-cases');
  await expect(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.dataset.loaded)).toBe('before the click');
  await page.goBack();
  await expect(receiptField(page)).toBeVisible();
});
