import { afterEach } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, keepsCases, openMore, showApp, signedIn, test } from './component-test.tsx';
import { PRO_USER, savedCase } from './samples.ts';
import { serveWorkspace } from './serve-workspace.ts';

const [LATE, PLAIN, NEXT] = ['SRC9999102777', 'LIN9999106498', 'EAC9999103403'];
const REASON = 'The agency is limiting requests right now. We will keep trying.';
const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });
const CHECKED = { monitoringFrequency: 'weekly', lastCheckedAt: '2026-03-01T15:07:00.000Z' } as const;
const CASES = [
  savedCase(NEXT, { ...CHECKED, nickname: 'Mine', tags: ['Family'], lastKnownStatus: 'Case Was Approved' }),
  savedCase(PLAIN),
  savedCase(LATE, {
    ...CHECKED,
    nickname: 'My sister-in-law María Guadalupe and her three children',
    tags: ['Family', 'Priority'],
    lastKnownStatus: 'Request for Initial and Additional Evidence Was Mailed',
    needsAction: true,
  }),
];
const WATCH = { frequency: 'weekly', lastCheckedAt: CHECKED.lastCheckedAt } as const;

afterEach(() => page.viewport(1280, 800));

test.for([
  [390, 300],
  [1280, 300],
] as const)(
  'at %i px the first of a few cases begins within %i px, and no card is higher than 200',
  async ([width, top], { api }) => {
    await page.viewport(width, 800);
    signedIn(api, PRO_USER);
    keepsCases(api, CASES);
    api.answers(endpoints.listWatches, [
      { ...WATCH, receiptNumber: NEXT, nextCheckAt: '2099-03-02T12:00:00.000Z', late: null },
      {
        ...WATCH,
        receiptNumber: LATE,
        nextCheckAt: '2026-03-02T12:00:00.000Z',
        late: { code: 'AGENCY_BUSY', reason: REASON },
      },
    ]);
    await showApp('/saved-cases');
    await expect.element(card(LATE).getByText(REASON)).toBeVisible();
    const boxes = page
      .getByRole('article')
      .elements()
      .map((one) => one.getBoundingClientRect());
    expect(boxes[0]?.top).toBeLessThan(top);
    for (const { height } of boxes) expect(height).toBeLessThanOrEqual(200);
    await expect.element(page.getByRole('search')).not.toBeInTheDocument();
    for (const name of ['Filters', 'Table', 'Cards'])
      await expect.element(button(name)).not.toBeInTheDocument();
    await expect.element(page.getByLabelText('Sort by')).not.toBeInTheDocument();

    await expect.element(card(NEXT).getByRole('link', { name: 'View details' })).not.toBeInTheDocument();
    await openMore(LATE);
    await expect.element(card(LATE).getByText('Check queued')).toBeVisible();
    await expect.element(card(LATE).getByText('Priority')).toBeVisible();
    await expect.element(page.getByLabelText(`Snooze alerts of ${LATE}`)).toBeVisible();
    await expect.element(card(LATE).getByRole('link', { name: 'View details' })).toBeVisible();
    await expectAccessible(`few cases ${width}`);
  },
);

test('at 320 px a name has room above "Requiere acción"', async ({ api }) => {
  await showLanguage('es');
  await page.viewport(320, 800);
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(LATE, { nickname: 'Mi hermana Lucía', needsAction: true })]);
  await showApp('/saved-cases');
  const name = card(LATE).getByTitle('Mi hermana Lucía');
  await expect.element(name).toBeVisible();
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = name.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight);
});

const several = (count: number) =>
  Array.from({ length: count }, (_, nth) => savedCase(`SRC${2_190_000_000 + nth}`));

test.for([
  ['the sixth case', several(6)],
  ['a case in the archive', [...several(1), savedCase(PLAIN, { archivedAt: '2026-02-01T12:00:00.000Z' })]],
] as const)('%s brings search, filters and the table', async ([, cases], { api }) => {
  signedIn(api, PRO_USER);
  serveWorkspace(api, [...cases]);
  await showApp('/saved-cases');
  await expect.element(page.getByLabelText('Search your cases')).toBeVisible();
  for (const name of ['Filters', 'Table']) await expect.element(button(name)).toBeVisible();
});
