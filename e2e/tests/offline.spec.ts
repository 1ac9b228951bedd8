import type { APIRequestContext, Page } from '@playwright/test';
import { expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { caseCard, logOut } from '../src/steps.ts';

test.use({ serviceWorkers: 'allow' });

/** Opens the app and waits until its worker can serve it alone. */
async function openInstalled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
  });
}

test('the app can be installed: Chromium finds nothing missing in its manifest', async ({
  page,
  freeUser: _user,
}) => {
  await openInstalled(page, '/');
  const devtools = await page.context().newCDPSession(page);
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '{}').shortcuts).toHaveLength(2);
  expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
});

/** What people read and press while offline, in each language. */
const WORDS = {
  en: {
    offline: /^Offline\. Saved statuses as of \d+:\d\d [AP]M\./,
    addNickname: 'Add nickname',
    nicknameOf: (receiptNumber: string) => `Nickname of ${receiptNumber}`,
    save: 'Save',
    kept: 'Saved offline',
    monitoring: /Monitoring/,
    remove: 'Remove',
    waiting: '3 changes will be sent when you are back online.',
    anyWaiting: /changes? will be sent|pending changes?/,
  },
  es: {
    offline: /^Sin conexión\. Estatus guardados \(\d+:\d\d [ap]\.\s?m\.\)\./,
    addNickname: 'Agregar nombre corto',
    nicknameOf: (receiptNumber: string) => `Nombre corto de ${receiptNumber}`,
    save: 'Guardar',
    kept: 'Guardado sin conexión',
    monitoring: /Monitoreo/,
    remove: 'Quitar',
    waiting: '3 cambios se enviarán cuando vuelva a tener conexión.',
    anyWaiting: /cambios? (se enviará|pendiente)/,
  },
};

for (const [language, words] of Object.entries(WORDS)) {
  test(`offline the saved cases can be read and changed; reconnected, each change is made once (${language})`, async ({
    page,
    context,
    baseURL,
    proUser: _user,
  }) => {
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
    const [first, second, third] = [newReceiptNumber(), newReceiptNumber(), newReceiptNumber()];
    for (const receiptNumber of [first, second, third]) await save(context.request, receiptNumber);
    await openInstalled(page, '/saved-cases');
    await expect(caseCard(page, first)).toBeVisible();
    await expectKept(page, first);
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });

    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(words.offline)).toBeVisible();
    const card = caseCard(page, first);
    await card.getByRole('button', { name: words.addNickname }).click();
    await page.getByLabel(words.nicknameOf(first)).fill('Mother');
    await page.getByRole('button', { name: words.save, exact: true }).click();
    await expectToast(page, words.kept);
    await expect(card.getByRole('button', { name: 'Mother' })).toBeVisible();
    await caseCard(page, second).getByLabel(words.monitoring).selectOption('weekly');
    await page.getByRole('button', { name: `${words.remove} ${third}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: words.remove }).click();
    await expect(page.getByText(words.waiting)).toBeVisible();
    await expect(caseCard(page, third)).toBeHidden();
    await expectAccessible(page);
    // What waits outlives a reload.
    await page.reload();
    await expect(page.getByText(words.waiting)).toBeVisible();
    expect(writes).toEqual([]);

    await context.setOffline(false);
    await expect(page.getByText(words.anyWaiting)).toBeHidden({ timeout: 20_000 });
    await expect(page.getByText(words.offline)).toBeHidden();
    expect(writes.filter((write) => write.includes('/api/saved-cases'))).toEqual([
      `PATCH /api/saved-cases/${first}`,
      `PATCH /api/saved-cases/${second}`,
      `DELETE /api/saved-cases/${third}`,
    ]);
    await page.reload();
    await expect(caseCard(page, first).getByRole('button', { name: 'Mother' })).toBeVisible();
    await expect(caseCard(page, second).getByLabel(words.monitoring)).toHaveValue('weekly');
    await expect(caseCard(page, third)).toBeHidden();
  });
}

test('the worker keeps no answer of the API, and a sign-out leaves nothing on the device', async ({
  page,
  context,
  freeUser: _user,
}) => {
  const receiptNumber = newReceiptNumber();
  await save(context.request, receiptNumber);
  await openInstalled(page, '/saved-cases');
  await expectKept(page, receiptNumber);
  const cached = await page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached).toContain('/auth');
  expect(cached.filter((path) => path.startsWith('/api') || path.includes('admin-page'))).toEqual([]);

  await logOut(page);
  await expectToast(page, 'Logged out');
  expect(await keptOn(page)).toBe('{}');
  await context.setOffline(true);
  await page.goto('/saved-cases');
  await expect(page.getByRole('heading', { name: 'We can’t reach the server' })).toBeVisible();
  await expect(page.getByText(receiptNumber)).toBeHidden();
});

async function save(api: APIRequestContext, receiptNumber: string): Promise<void> {
  await post(api, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
}

/** Everything that IndexedDB keeps, as JSON. */
function keptOn(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('casewatch');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          if (!database.objectStoreNames.contains('kept')) return resolve('{}');
          const kept: Record<string, unknown> = {};
          const reading = database.transaction('kept').objectStore('kept').openCursor();
          reading.onsuccess = () => {
            const cursor = reading.result;
            if (!cursor) return resolve(JSON.stringify(kept));
            kept[String(cursor.key)] = cursor.value;
            cursor.continue();
          };
        };
      }),
  );
}

async function expectKept(page: Page, text: string): Promise<void> {
  await expect.poll(() => keptOn(page)).toContain(text);
}
