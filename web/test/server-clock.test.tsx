import { vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { noteServerTime } from '../src/lib/server-clock.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  openMore,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, PRO_USER, savedCase } from './samples.ts';

const NUMBER = 'EAC9999103403';
const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-01-05T12:00:00.000Z');
const ago = (minutes: number) => new Date(NOW_MS - minutes * 60_000).toISOString();

/** The server has the right time, this device is some hours off. */
function isOff(api: FakeApi, hours: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + hours * HOUR_MS });
  api.hasClock(() => new Date(NOW_MS));
  signedIn(api, PRO_USER);
}

test.afterEach(() => {
  vi.useRealTimers();
  noteServerTime(new Date().toUTCString());
});

const OFF = [30, -30, 24 * 400, -2];

test.for(OFF)(
  'on a clock %i hours off, the age of an older answer is the true one',
  async (hours, { api }) => {
    isOff(api, hours);
    const stale = { code: 'AGENCY_UNAVAILABLE' as const, reason: 'The agency does not answer.' };
    api.answers(endpoints.lookUpCase, caseResult(NUMBER, { observedAt: ago(5), stale }));
    await showApp(`/cases/${NUMBER}`);
    await expect.element(page.getByText(/\(5 minutes ago\): The agency does not answer/)).toBeVisible();
  },
);

test.for(OFF)('on a clock %i hours off, a check of today is one of today', async (hours, { api }) => {
  isOff(api, hours);
  api.answers(
    endpoints.lookUpCase,
    caseResult(NUMBER, { observedAt: ago(10), caseCreationDate: '2026-01-02' }),
  );
  await showApp(`/cases/${NUMBER}`);
  await expect.element(page.getByText('No change, checked today at 11:50 AM')).toBeVisible();
  await expect.element(page.getByText('3 days')).toBeVisible();
});

test.for(OFF)('on a clock %i hours off, alerts are snoozed for a week from now', async (hours, { api }) => {
  isOff(api, hours);
  keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'daily', snoozedUntil: ago(-60 * 24) })]);
  api.answers(endpoints.listWatches, []);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp('/saved-cases');
  await openMore(NUMBER);
  const field = page.getByLabelText(`Snooze alerts of ${NUMBER}`);
  await expect.element(field).toHaveValue('snoozed');
  await field.selectOptions('For a week');
  await expect.poll(() => changes.length).toBe(1);
  expect(changes[0]?.body).toEqual({ snoozedUntil: expect.stringMatching(/^2026-01-12T12:00:/) });
  changes[0]?.answer(savedCase(NUMBER, { snoozedUntil: '2026-01-12T12:00:00.000Z' }));
  await expectToast('Updated', 'Snoozed until Jan 12, 2026.');
});

test.for(OFF)(
  'on a clock %i hours off, a check that is due later is not called due',
  async (hours, { api }) => {
    isOff(api, hours);
    keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'daily' })]);
    api.answers(endpoints.listWatches, [
      { receiptNumber: NUMBER, frequency: 'daily', lastCheckedAt: null, nextCheckAt: ago(-30), late: null },
    ]);
    await showApp('/saved-cases');
    await expect.element(page.getByText('Next check Jan 5, 2026 12:30 PM')).toBeVisible();
  },
);

test('in Spanish, too', async ({ api }) => {
  isOff(api, 30);
  await showLanguage('es');
  const stale = { code: 'AGENCY_UNAVAILABLE' as const, reason: 'The agency does not answer.' };
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { observedAt: ago(5), stale }));
  await showApp(`/cases/${NUMBER}`);
  await expect.element(page.getByText(/\(hace 5 minutos\)/)).toBeVisible();
  await expect.element(button('Consultar ahora')).toBeEnabled();
});
