import type { ApiLog, CallOverview } from '@casewatch/contracts/admin-log';
import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import type { LogView } from '@casewatch/contracts/log-views';
import { vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, settle, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { CALM_QUEUE } from './samples.ts';

const MARIA = '0198c0de-0000-7000-8000-00000000000a';
const REQUEST = '7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11';

function row(nth: number, facts: Partial<ApiLog> = {}): ApiLog {
  const receiptNumber = `EAC${String(nth).padStart(10, '0')}`;
  return {
    id: `0198c0de-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    createdAt: new Date(Date.UTC(2026, 0, 5, 10, 3, 59 - (nth % 60))).toISOString(),
    endpoint: `GET /case-status/${receiptNumber}`,
    receiptNumbers: [receiptNumber],
    userId: MARIA,
    userFirstName: 'Maria',
    statusCode: 200,
    success: true,
    durationMs: 1_234,
    requestPayload: { receiptNumber },
    responsePayload: '{"case_status":{}}',
    source: 'user',
    place: `place${nth}`,
    outcome: 'answered',
    cause: null,
    code: null,
    reason: null,
    queueMs: 4,
    agencyMs: 1_200,
    agencyCalls: 1,
    requestId: REQUEST,
    traceId: null,
    tier: 'pro',
    origin: 'single',
    servedStale: false,
    earlierCalls: [],
    ...facts,
  };
}

const FAILED = row(1, {
  ...{ outcome: 'fault', cause: 'agency', code: 'timeout', reason: 'The agency did not answer in time.' },
  ...{ success: false, statusCode: null, responsePayload: 'timeout: TimeoutError', servedStale: true },
});

const OVERVIEW: CallOverview = {
  from: '2026-01-04T13:00:00.000Z',
  to: '2026-01-05T12:00:00.000Z',
  bucketMinutes: 60,
  buckets: Array.from({ length: 24 }, (_, nth) => ({
    at: new Date(Date.UTC(2026, 0, 4, 13 + nth)).toISOString(),
    ...{ calls: 50, errors: 2, causes: { user: 1, agency: 1, us: 0 }, p50Ms: 100, p95Ms: 900 },
  })),
  health: [
    { at: '2026-01-05T11:30:00.000Z', answered: 4, faults: 0, suspended: 0 },
    { at: '2026-01-05T11:50:00.000Z', answered: 0, faults: 5, suspended: 7 },
  ],
  topReceipts: [{ receiptNumber: 'IOE0000000007', lookups: 1_200 }],
  totals: { calls: 12_345, errors: 48, causes: { user: 24, agency: 20, us: 4 }, p50Ms: 100, p95Ms: 1_900 },
  budget: { callsPerDay: 10_000, usedToday: 4_321 },
};

const PASSCODE: AdminIdentity = { name: 'passcode', role: 'owner' };
const GRACE: AdminIdentity = { name: 'Grace Hopper', role: 'auditor' };

/** The log as the server would answer it: these rows, and what fits them by one search. */
function keepsLog(api: FakeApi, logs: ApiLog[], total = logs.length, admin = PASSCODE): void {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: true });
  api.answers(endpoints.adminLogIn, {
    ok: true,
    idleSeconds: 900,
    admin,
  });
  api.answers(endpoints.getCallOverview, OVERVIEW);
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  api.serves(endpoints.listLogs, ({ query }) => ({
    logs: Number(query.offset ?? 0) === 0 ? logs : [row(60 + Number(query.offset ?? 0))],
    ...{ totalCount: total, totalIsExact: true, older: null, newer: null },
  }));
}

async function open(path = '/admin') {
  await showApp(path);
  await page.getByLabelText('Passcode').fill('secret');
  await button('Access Admin Panel').click();
}
/** Waits until an element has this text, in whatever parts. */
const shows = (part: Locator, text: string) => expect.poll(() => part.query()?.textContent).toContain(text);
const rows = () => page.getByTestId('log-row');
const search = () => page.getByRole('searchbox', { name: 'Search the log' });

test('why did Maria’s lookup at 10:03 fail: one search, one row, and the reason in words', async ({
  api,
}) => {
  keepsLog(api, [FAILED]);
  const asked: string[] = [];
  api.serves(endpoints.listLogs, ({ query }) => {
    asked.push(query.q ?? '');
    return { logs: [FAILED], totalCount: 1, totalIsExact: true, older: null, newer: null };
  });
  await open();
  await search().fill('user:maria created:2026-01-05T10:03');
  await userEvent.keyboard('{Enter}');
  await rows().getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'API log details' });
  await shows(dialog, 'Agency error. The agency did not answer in time. timeout');
  await shows(dialog, 'The user saw an older status');
  await shows(dialog, '4 ms in the queue, 1,200 ms at the agency');
  await expect
    .element(dialog.getByRole('link', { name: 'This request' }))
    .toHaveAttribute('href', `/admin?q=request%3A${REQUEST}`);
  for (const name of ['This user’s last hour', 'This receipt’s history']) {
    await expect.element(dialog.getByRole('link', { name })).toBeVisible();
  }
  expect(asked).toEqual(['', 'user:maria created:2026-01-05T10:03']);
  await expectAccessibleEverywhere();
});

test('a refresh keeps the focus on its button, and reads the overview as well', async ({ api }) => {
  keepsLog(api, [FAILED]);
  await open();
  await expect.element(rows()).toBeVisible();
  const lists = api.holds(endpoints.listLogs);
  const overviews = api.holds(endpoints.getCallOverview);
  (button('Refresh').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => lists.length).toBe(1);
  await settle();
  await userEvent.keyboard('{Enter}');
  const other = row(2);
  lists[0]?.answer({ logs: [other], totalCount: 1, totalIsExact: true, older: null, newer: null });
  await expect.element(rows()).toMatchTextContent(/EAC0000000002/);
  await settle();
  await expect.element(button('Refresh')).toHaveFocus();
  expect(lists).toHaveLength(1);
  expect(overviews).toHaveLength(1);
});

test('a row that could not be loaded is not called missing', async ({ api }) => {
  keepsLog(api, [FAILED]);
  api.refuses(endpoints.getLog, 'UNAVAILABLE');
  await open('/admin?row=elsewhere');
  await expectToast('The lookup could not be loaded');
  expect(page.getByText('This lookup is not in the log').query()).toBeNull();
});

test('is it us or the agency: one row of charts says whose the failures are and how the agency is', async ({
  api,
}) => {
  keepsLog(api, [FAILED]);
  await open();
  const overview = page.getByRole('region', { name: 'Last 24 hours' });
  await shows(overview, '12,345 lookups');
  await shows(overview, '48 failed 24 user, 20 agency, 4 Casewatch');
  await shows(overview, 'Agency: failing');
  await shows(overview, '4,321 of 10,000 calls');
  const tops = overview
    .getByRole('img')
    .elements()
    .map((chart) => chart.getBoundingClientRect().top);
  expect(tops).toHaveLength(5);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(30);
  expect(api.count(endpoints.getCallOverview)).toBe(1);
});

test('which receipt is asked most, and the errors of each cause, are one click further', async ({ api }) => {
  keepsLog(api, [FAILED]);
  await open();
  const overview = page.getByRole('region', { name: 'Last 24 hours' });
  await overview.getByText(/^Causes, most looked up/).click();
  await expect.element(overview.getByText(/1,200 times/)).toBeVisible();
  expect(api.count(endpoints.getCallOverview)).toBe(1);
  await expect
    .element(overview.getByRole('img', { name: /^The agency failed in 1 stretch of ten minutes/ }))
    .toBeVisible();
  await expectAccessibleEverywhere();
  await overview.getByRole('link', { name: 'IOE0000000007' }).click();
  await expect.element(search()).toHaveValue('receipt:IOE0000000007');
});

test('an overview of a single lookup counts one, and claims no answers of the agency where it was not asked', async ({
  api,
}) => {
  keepsLog(api, [FAILED]);
  api.answers(endpoints.getCallOverview, {
    ...OVERVIEW,
    health: [],
    topReceipts: [{ receiptNumber: 'IOE0000000007', lookups: 1 }],
    totals: { ...OVERVIEW.totals, calls: 1 },
  });
  await open();
  const overview = page.getByRole('region', { name: 'Last 24 hours' });
  await overview.getByText(/^Causes, most looked up/).click();
  await expect.element(overview.getByText('1 lookup', { exact: true })).toBeVisible();
  await expect.element(overview.getByText(/ 1 time$/)).toBeVisible();
  await expect.element(overview.getByRole('img', { name: 'No calls to the agency' })).toBeVisible();
});

test('a search that cannot be read says what is possible, and asks nothing', async ({ api }) => {
  keepsLog(api, [FAILED]);
  await open();
  await expect.element(rows()).toBeVisible();
  const before = api.count(endpoints.listLogs);
  await search().fill('color:red');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/Unknown key "color". You can use receipt, user/)).toBeVisible();
  await expect.element(search()).toHaveFocus();
  expect(api.count(endpoints.listLogs)).toBe(before);
  await search().fill('user:maria');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/Unknown key/)).not.toBeInTheDocument();
});

test('what only the server can refuse is shown at the field, too', async ({ api }) => {
  keepsLog(api, [FAILED]);
  api.refuses(endpoints.listLogs, 'VALIDATION', 'More than 100 last names begin like this.');
  await open('/admin?q=user:smith');
  await expect.element(page.getByText('More than 100 last names begin like this.')).toBeVisible();
  await expect.element(search()).toHaveValue('user:smith');
});

test('the address of a row opens it after the passcode, also when the list has moved on', async ({ api }) => {
  keepsLog(api, [row(2)]);
  api.answers(endpoints.getLog, FAILED);
  await open('/admin?q=user:maria&row=place1');
  await shows(page.getByRole('dialog', { name: 'API log details' }), 'Agency error.');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(search()).toHaveValue('user:maria');
});

test('the fields of a period show what applies, each its own end, and apply it again', async ({ api }) => {
  keepsLog(api, [FAILED]);
  const asked: unknown[] = [];
  api.serves(endpoints.listLogs, ({ query }) => {
    asked.push([query.from, query.to]);
    return { logs: [FAILED], totalCount: 1, totalIsExact: true, older: null, newer: null };
  });
  const period = ['2026-01-05T09:00', '2026-01-05T17:30'];
  const moments = period.map((local) => new Date(local).toISOString());
  await open(`/admin?from=${moments[0]}&to=${moments[1]}`);
  const ends = () => ['From', 'To'].map((name) => page.getByLabelText(name, { exact: true }));
  for (const [nth, end] of ends().entries()) await expect.element(end).toHaveValue(period[nth]);
  await page.getByLabelText('Status code').fill('503');
  await button('Apply filters').click();
  for (const [nth, end] of ends().entries()) await expect.element(end).toHaveValue(period[nth]);
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  expect(asked).toEqual(asked.map(() => moments));
});

test('j, k, Enter and / move through the log, and are letters in a field', async ({ api }) => {
  keepsLog(api, [row(1), row(2), row(3)]);
  await open();
  await expect.element(rows().first()).toBeVisible();
  const rowButton = (nth: number) => rows().nth(nth).getByRole('button');
  await userEvent.keyboard('jj');
  await expect.element(rowButton(1)).toHaveFocus();
  await userEvent.keyboard('k');
  await expect.element(rowButton(0)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'API log details' })).toBeVisible();
  await userEvent.keyboard('j{Escape}');
  await expect.element(rowButton(0)).toHaveFocus();
  await userEvent.keyboard('/');
  await expect.element(search()).toHaveFocus();
  await userEvent.keyboard('jk?/');
  await expect.element(search()).toHaveValue('jk?/');
});

test('after Next reading continues at the first row of the new page', async ({ api }) => {
  keepsLog(
    api,
    Array.from({ length: 50 }, (_, nth) => row(nth)),
    1_051,
  );
  await open();
  await expect.element(page.getByText('Showing 1 to 50 of 1,051 logs')).toBeVisible();
  await button('Next').click();
  await expect.element(page.getByText('Page 2 of 22')).toBeVisible();
  await expect.element(rows().first().getByRole('button')).toHaveFocus();
  await expect.poll(() => rows().first().element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
});

test('a view is kept under a name, opened again, and deleted', async ({ api }) => {
  keepsLog(api, [FAILED]);
  await open('/admin?q=code:timeout&page=1');
  await page.getByText('Views', { exact: true }).click();
  await page.getByLabelText('Save this view as').fill('Timeouts');
  await button('Save view').click();
  await page.getByRole('link', { name: 'Agency errors' }).click();
  await expect.element(search()).toHaveValue('cause:agency');
  await page.getByRole('link', { name: 'Timeouts' }).click();
  await expect.element(search()).toHaveValue('code:timeout');
  await button('Delete the view Timeouts').click();
  await expect.element(page.getByRole('link', { name: 'Timeouts' })).not.toBeInTheDocument();
});

/** The administrator's views as the server would keep them. */
function keepsViews(api: FakeApi, first: Omit<LogView, 'id'>[] = []) {
  let views: LogView[] = first.map((view, nth) => ({ ...view, id: idOf(nth) }));
  api.serves(endpoints.listLogViews, () => views);
  api.serves(endpoints.saveLogViews, ({ body }) => {
    const names = body.views.map(({ name }) => name);
    const others = views.filter(({ name }) => !names.includes(name));
    views = [...others, ...body.views.map((view, nth) => ({ ...view, id: idOf(100 + views.length + nth) }))];
    return views;
  });
  api.serves(endpoints.removeLogView, ({ params }) => {
    views = views.filter(({ id }) => id !== params.id);
    return { ok: true as const };
  });
  return () => views.map(({ name, query }) => ({ name, query }));
}
const idOf = (nth: number) => `0198c0de-0000-7000-8000-${String(nth).padStart(12, '0')}`;

test('a named administrator’s views are in the account: saved, opened, deleted, and none in the browser', async ({
  api,
}) => {
  keepsLog(api, [FAILED], 1, GRACE);
  const kept = keepsViews(api, [{ name: 'Slow', query: 'q=ms%3A%3E2000' }]);
  await open('/admin?q=code:timeout&page=1');
  await page.getByText('Views', { exact: true }).click();
  const field = page.getByLabelText('Save this view as');
  await field.fill('Timeouts');
  await button('Save view').click();
  await expect.element(page.getByRole('link', { name: 'Timeouts' })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await page.getByRole('link', { name: 'Slow' }).click();
  await expect.element(search()).toHaveValue('ms:>2000');
  await button('Delete the view Slow').click();
  await expect.element(page.getByRole('link', { name: 'Slow', exact: true })).not.toBeInTheDocument();
  await expect.element(field).toHaveFocus();
  expect(kept()).toEqual([{ name: 'Timeouts', query: 'q=code%3Atimeout' }]);
  expect(localStorage.getItem('admin-log-views')).toBeNull();
  await expectAccessibleEverywhere();
});

test('views of the browser move to the account when asked, under a free name, and stay where that fails', async ({
  api,
}) => {
  const local = [
    { name: 'Slow', query: 'q=ms%3A%3E900' },
    { name: 'Timeouts', query: 'q=code%3Atimeout' },
  ];
  localStorage.setItem('admin-log-views', JSON.stringify(local));
  keepsLog(api, [FAILED], 1, GRACE);
  const slow = { name: 'Slow', query: 'q=ms%3A%3E2000' };
  const kept = keepsViews(api, [slow]);
  await open();
  await page.getByText('Views', { exact: true }).click();
  const inBrowser = page.getByRole('list', { name: 'Views in this browser' });
  await expect.element(inBrowser.getByRole('link', { name: 'Timeouts' })).toBeVisible();
  api.refuses(endpoints.saveLogViews, 'LOG_VIEW_LIMIT', 'You can save up to 50 views.');
  await button('Move to your account').click();
  await expect.element(page.getByText('You can save up to 50 views.').first()).toBeVisible();
  expect(localStorage.getItem('admin-log-views')).toBe(JSON.stringify(local));
  const again = keepsViews(api, kept());
  await button('Move to your account').click();
  await expect.element(inBrowser).not.toBeInTheDocument();
  await expect.element(page.getByLabelText('Save this view as')).toHaveFocus();
  expect(again()).toEqual([slow, { ...local[0], name: 'Slow (2)' }, local[1]]);
  expect(localStorage.getItem('admin-log-views')).toBe('[]');
});

test('a view that another tab saves in the browser is shown, and is not lost when this one saves', async ({
  api,
}) => {
  keepsLog(api, [FAILED]);
  await open();
  await page.getByText('Views', { exact: true }).click();
  await expect.element(button('Save view')).toBeVisible();
  localStorage.setItem('admin-log-views', JSON.stringify([{ name: 'Theirs', query: 'q=via%3Abulk' }]));
  await page.getByLabelText('Save this view as').fill('Mine');
  await button('Save view').click();
  for (const name of ['Theirs', 'Mine']) await expect.element(page.getByRole('link', { name })).toBeVisible();
  localStorage.removeItem('admin-log-views');
  dispatchEvent(new StorageEvent('storage', { key: 'admin-log-views' }));
  await expect.element(page.getByRole('link', { name: 'Mine' })).not.toBeInTheDocument();
});

test('columns are chosen and kept', async ({ api }) => {
  keepsLog(api, [FAILED]);
  await open();
  await expect.element(page.getByRole('columnheader', { name: 'Result' })).toBeVisible();
  await expect.element(page.getByRole('columnheader', { name: 'Via' })).not.toBeInTheDocument();
  await page.getByText('Columns', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Via' }).click();
  await shows(rows(), 'Single search');
  await page.getByRole('checkbox', { name: 'Endpoint' }).click();
  await expect.element(page.getByRole('columnheader', { name: 'Endpoint' })).not.toBeInTheDocument();
  expect(localStorage.getItem('admin-log-columns')).toContain('via');
});

/** The log, and what is stored once the live tail has begun; returns the cursors that it asked for. */
function keepsTail(api: FakeApi, first: ApiLog[], ...arriving: ApiLog[][]): string[] {
  keepsLog(api, first);
  const asked: string[] = [];
  api.serves(endpoints.listLogs, ({ query }) => {
    const answer = { totalCount: first.length, totalIsExact: true, older: null, newer: 'place' };
    if (query.newer === undefined) return { ...answer, logs: query.q === 'cause:agency' ? [FAILED] : first };
    asked.push(query.newer);
    const stored = [...first, ...arriving.slice(0, asked.length).flat()].toSorted((a, b) =>
      a.createdAt < b.createdAt ? 1 : -1,
    );
    const logs = stored.slice(
      0,
      stored.findIndex(({ place }) => place === query.newer),
    );
    return { ...answer, logs };
  });
  return asked;
}

const liveTail = () => page.getByRole('switch', { name: 'Live tail' });

/** Lets the live tail ask until the page has this button or text. */
async function tailsUntil(part: Locator): Promise<void> {
  await expect
    .poll(() => {
      vi.advanceTimersByTime(2_000);
      return part.query();
    })
    .not.toBeNull();
}

test('a row that is opened and closed leaves the live tail where it is', async ({ api }) => {
  const asked = keepsTail(api, [row(2), row(15)], [row(0, { createdAt: '2026-01-05T10:05:00.000Z' })]);
  await open();
  await expect.element(rows().first()).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await liveTail().click();
  await tailsUntil(page.getByText('1 new call', { exact: true }));
  await rows().first().getByRole('button').click();
  await shows(page.getByRole('dialog', { name: 'API log details' }), 'EAC0000000000');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(rows().elements()).toHaveLength(3);
  const before = asked.length;
  await expect
    .poll(() => {
      vi.advanceTimersByTime(2_000);
      return asked.length;
    })
    .toBeGreaterThan(before);
  expect(asked.filter((cursor) => cursor === 'place15')).toHaveLength(1);
  expect(api.count(endpoints.getLog)).toBe(0);
});

test('a call that is stored after a later one comes in its place, and is counted once', async ({ api }) => {
  keepsTail(api, [row(2), row(5)], [row(0)], [row(1)], [row(3)]);
  await open();
  await expect.element(rows().first()).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await liveTail().click();
  await tailsUntil(page.getByText('3 new calls', { exact: true }));
  for (const [nth, number] of [0, 1, 2, 3, 5].entries())
    await shows(rows().nth(nth), `EAC000000000${number}`);
  expect(rows().elements()).toHaveLength(5);
});

test('another search shows its own rows, also where the live tail held still for reading', async ({
  api,
}) => {
  keepsTail(
    api,
    Array.from({ length: 50 }, (_, nth) => row(nth + 2)),
    [],
  );
  await open();
  await expect.element(rows().first()).toBeVisible();
  await liveTail().click();
  document.querySelector('.log-table-live')?.scrollTo({ top: 300 });
  await expect.element(button('Resume')).toBeVisible();
  await search().fill('cause:agency');
  await userEvent.keyboard('{Enter}');
  await shows(rows().first(), 'Agency error');
  expect(rows().elements()).toHaveLength(1);
  await expect.element(button('Resume')).not.toBeInTheDocument();
});

test('a live tail that is switched on again counts the new calls from the first one on', async ({ api }) => {
  keepsTail(api, [row(2)], [row(0)]);
  await open();
  await expect.element(rows()).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await liveTail().click();
  await tailsUntil(button('Show 1 new'));
  await button('Show 1 new').click();
  await expect.element(button('Show 1 new')).not.toBeInTheDocument();
  await liveTail().click();
  await liveTail().click();
  await tailsUntil(button('Show 1 new'));
});

test('an auditor is offered no search for what is masked, and an address that has one says why not', async ({
  api,
}) => {
  const masked = { receiptNumbers: ['EAC******0001'], userId: null, userFirstName: null };
  keepsLog(api, [row(1, masked)], 1, GRACE);
  api.answers(endpoints.getCallOverview, {
    ...OVERVIEW,
    topReceipts: [{ receiptNumber: 'IOE******0007', lookups: 1_200 }],
  });
  await open();
  await page.getByText(/^Causes, most looked up/).click();
  await expect.element(page.getByText('IOE******0007')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'IOE******0007' })).not.toBeInTheDocument();
  await page.getByText('Filters', { exact: true }).click();
  await expect.element(page.getByLabelText('Status code')).toBeVisible();
  for (const name of ['Receipt number', 'User name, email or ID'])
    await expect.element(page.getByLabelText(name)).not.toBeInTheDocument();
  await page.getByText('Search help and keyboard').click();
  await expect.element(page.getByText('outcome:fault,circuit-open')).toBeVisible();
  await expect.element(page.getByText('user:maria', { exact: true })).not.toBeInTheDocument();
  await rows().getByRole('button').click();
  await expect.element(page.getByRole('link', { name: 'This request' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'This receipt’s history' })).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  api.refuses(endpoints.listLogs, 'PERMISSION_DENIED', 'Your role does not allow this.');
  await search().fill('user:maria');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/Search without receipt numbers and users/)).toBeVisible();
  await expect.element(button('Try again')).not.toBeInTheDocument();
});
