import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '../src/fixtures.ts';
import { receiptField } from '../src/steps.ts';

test.use({ serviceWorkers: 'allow' });

test('a new version is offered in every tab, loses nothing typed, and reloads only the tab that asks for it', async ({
  page,
  context,
  product,
  freeUser: _user,
}) => {
  const deployment = await deploy(product.url);
  try {
    const other = await context.newPage();
    for (const tab of [page, other]) await openInstalled(tab, deployment.url);
    const field = receiptField(page);
    await field.fill('IOE09');

    deployment.release();
    // Tabs look for a new version when they come to the front.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    for (const tab of [page, other]) await expect(tab.getByText('A new version is ready')).toBeVisible();
    expect([await buildOf(page), await buildOf(other)]).toEqual(['older', 'older']);

    await page.getByRole('button', { name: 'Reload' }).click();
    const question = page.getByRole('dialog', { name: 'Reload and lose what you typed?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();

    await other.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => buildOf(other)).toBe('newer');
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(other.getByText('A new version is ready')).toBeHidden();
    await expect(field).toHaveValue('IOE09');
    expect(await buildOf(page)).toBe('older');

    await page.getByRole('button', { name: 'Reload' }).click();
    await question.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => buildOf(page)).toBe('newer');
  } finally {
    await deployment.stop();
  }
});

/** Opens the app and waits until its worker serves it. */
async function openInstalled(tab: Page, url: string): Promise<void> {
  await tab.goto(url);
  await tab.evaluate(() => navigator.serviceWorker.ready);
  await expect
    .poll(async () => {
      await tab.reload();
      return tab.evaluate(() => navigator.serviceWorker.controller?.state);
    })
    .toBe('activated');
}

/** Which build of the app a tab shows; a tab that is being loaded shows none. */
const buildOf = (tab: Page): Promise<string | null> =>
  tab.evaluate(() => document.documentElement.dataset.build ?? 'older').catch(() => null);

/** The product behind a server that serves another build of the app, with another worker, once that is released. */
async function deploy(productUrl: string) {
  const newer: Record<string, (text: string) => string> = {
    '/auth': (page) => page.replace('<html', '<html data-build="newer"'),
    '/sw.js': (worker) => worker.replace(/("revision":")[0-9a-f]+(","url":"\/auth")/, '$1newer$2'),
  };
  let isReleased = false;
  const { hostname } = new URL(productUrl);
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', productUrl);
    const edit = isReleased ? newer[url.pathname] : undefined;
    const { 'if-none-match': _known, ...headers } = { ...req.headers, 'accept-encoding': 'identity' };
    const passedOn = request(url, { method: req.method, headers }, async (answer) => {
      const { 'content-length': _length, etag: _etag, ...answered } = answer.headers;
      res.writeHead(answer.statusCode ?? 500, answered);
      if (!edit) return answer.pipe(res);
      const text = (await answer.setEncoding('utf8').toArray()).join('');
      const edited = edit(text);
      expect(edited, `the newer ${url.pathname}`).not.toBe(text);
      res.end(edited);
    });
    passedOn.on('error', () => res.destroy());
    res.on('close', () => passedOn.destroy());
    req.pipe(passedOn);
  }).listen(0, hostname);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    // The same name: the session cookie is sent to it.
    url: `http://${hostname}:${port}/`,
    release: () => {
      isReleased = true;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
