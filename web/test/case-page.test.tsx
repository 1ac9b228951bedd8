import type {} from '@vitest/browser-playwright';
import { vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { formatDay } from '../src/lib/format-moment.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import { caseResult, FREE_USER, historyEntry, PRO_USER, savedCase } from './samples.ts';

const NUMBER = 'EAC9999103403';
const PATH = `/cases/${NUMBER}`;

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const region = (name: string) => page.getByRole('region', { name });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const agencyDay = (days: number) => daysAgo(days).toISOString().slice(0, 10);

test('the page says what the status is, what it means and what to do, and names the tab', async ({ api }) => {
  signedIn(api);
  api.answers(
    endpoints.lookUpCase,
    caseResult(NUMBER, {
      caseStatus: 'Request for Additional Evidence Was Sent',
      formType: 'I-485',
      observedAt: new Date().toISOString(),
      caseCreationDate: `${agencyDay(100)} 10:00:00`,
      histCaseData: [
        historyEntry('Request for Additional Evidence Was Sent', agencyDay(12), {
          firstObservedAt: daysAgo(11).toISOString(),
        }),
        historyEntry('Case Was Received', null, {
          source: 'observed',
          firstObservedAt: daysAgo(40).toISOString(),
        }),
        historyEntry('Case Was Received', agencyDay(100)),
      ],
    }),
  );
  await showApp(PATH);
  await expect.element(page.getByRole('heading', { name: NUMBER, level: 1 })).toBeVisible();
  const status = region('Status');
  await expect.element(status).toMatchTextContent('Request for Additional Evidence Was Sent');
  await expect.element(page.getByTestId('needs-action')).toMatchTextContent('Needs action');
  // The next step comes before everything else.
  await expect
    .element(status)
    .toMatchTextContent(
      /Needs actionWhat you may need to do.*Requests for evidence.*Time in this status12 days since/,
    );
  await expect.element(status).toMatchTextContent(/Time since received100 days since/);
  await expect.element(status).toMatchTextContent(/No change, checked today at \d/);
  await expect.element(region('What this means')).toMatchTextContent(/It is not a denial/);
  await expect
    .element(region('What this means'))
    .toMatchTextContent(/not legal advice\. Reviewed November 2026/);
  await expect
    .element(page.getByRole('link', { name: /Requests for evidence.* on uscis\.gov/ }))
    .toHaveAttribute('href', expect.stringMatching(/^https:\/\/www\.uscis\.gov\//));
  await expect
    .element(page.getByRole('link', { name: 'This status in the status guide' }))
    .toHaveAttribute('href', '/guide#request-for-additional-evidence-was-sent');
  await expect.element(region('What the agency says')).toMatchTextContent('We received your case.');
  const entries = [...region('Case history').element().querySelectorAll('ol > li')].map(
    ({ textContent }) => textContent,
  );
  expect(entries).toEqual([
    expect.stringMatching(
      /^Request for Additional Evidence.*From the agency’s history, seen by Casewatch on/,
    ),
    expect.stringMatching(/^Case Was Received.*Seen by Casewatch on/),
    expect.stringMatching(/^Case Was Received.*From the agency’s history$/),
  ]);
  expect(document.title).toBe(`Request for Additional Evidence Was Sent · ${NUMBER} | Casewatch`);
  await expectAccessible();
});

test('a step that the agency no longer lists stays in the timeline and says so, in the width of a phone too', async ({
  api,
}) => {
  signedIn(api);
  api.answers(
    endpoints.lookUpCase,
    caseResult(NUMBER, {
      caseStatus: 'Case was received.',
      histCaseData: [
        historyEntry('Request for Additional Evidence Was Sent', agencyDay(12), {
          firstObservedAt: daysAgo(11).toISOString(),
          withdrawnAt: daysAgo(3).toISOString(),
        }),
        historyEntry('Case Was Received', agencyDay(100)),
      ],
    }),
  );
  await page.viewport(320, 800);
  await showApp(PATH);
  const day = formatDay(daysAgo(3).toISOString());
  await expect.element(region('Case history')).toBeVisible();
  const entries = [...region('Case history').element().querySelectorAll('ol > li')].map(
    ({ textContent }) => textContent,
  );
  expect(entries).toEqual([
    expect.stringMatching(
      new RegExp(`seen by Casewatch on .*Withdrawn: not in the agency’s history since ${day}$`),
    ),
    expect.not.stringContaining('Withdrawn'),
  ]);
  await expect.element(region('Status')).toMatchTextContent(/Time in this status100 days since/);
  const { scrollWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(320);
  await expectAccessible();
  await page.viewport(1280, 800);
});

test('a case is not called unsaved while that is not known, and the answer is asked for again on request', async ({
  api,
}) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  const lists = api.holds(endpoints.listSavedCases);
  await showApp(PATH);
  await expect.element(region('Your case')).toMatchTextContent('Loading...');
  for (const list of lists) list.refuse('UNAVAILABLE');
  await expect.element(region('Your case')).toMatchTextContent(/Your saved cases could not be loaded\./);
  await expectAccessible();
  keepsCases(api, [savedCase(NUMBER, { nickname: 'Green card' })]);
  await button('Try again').click();
  await expect.element(region('Your case')).toMatchTextContent(/Green card/);
  await expect.element(region('Your case')).toHaveFocus();
});

test.for([320, 768, 1280])('at %d px nothing is cut off, in either theme', async (width, { api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.listWatches, []);
  api.answers(endpoints.listSavedCases, [
    savedCase(NUMBER, {
      nickname: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2),
      monitoringFrequency: 'daily',
    }),
  ]);
  api.answers(
    endpoints.lookUpCase,
    caseResult(NUMBER, {
      caseStatus: 'Travel Document Was Returned to USCIS And Will Be Held For 180 Days',
      stale: {
        code: 'AGENCY_UNAVAILABLE',
        reason: 'The agency is closed.',
        agencyMessage: 'Open at 7:00 AM.',
      },
      histCaseData: [
        historyEntry('Travel Document Was Returned to USCIS And Will Be Held For 180 Days', '2026-01-01'),
      ],
    }),
  );
  await page.viewport(width, 800);
  await showApp(PATH);
  await expect
    .element(region('Status'))
    .toMatchTextContent(/As of .*The agency is closed\. ?USCIS says: Open at 7:00 AM\./);
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  const number = page.getByText(NUMBER, { exact: true }).first().element();
  expect(number.getClientRects()).toHaveLength(1);
  await expectAccessible('long case');
  await page.viewport(1280, 800);
});

test('a status without an action has no mark, and an unknown one is shown as unknown', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { caseStatus: 'Your Horoscope Was Consulted' }));
  await showApp(PATH);
  await expect.element(region('What this means')).toMatchTextContent(/We do not know this status yet/);
  await expect.element(page.getByRole('link', { name: /status guide/ })).toHaveAttribute('href', '/guide');
  await expect.element(page.getByTestId('needs-action')).not.toBeInTheDocument();
});

test('while the agency is asked the page says so, and a failure says what to do', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp(PATH);
  await expect.element(page.getByText(`Checking ${NUMBER} with the agency...`)).toBeVisible();
  await expectAccessible();
  asked[0]?.refuse('AGENCY_UNAVAILABLE', 'Down for maintenance.');
  await expect.element(heading('Status not available right now')).toBeVisible();
  await expect.element(page.getByText('Down for maintenance.')).toBeVisible();
  await expectAccessible();
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await button('Try again').click();
  await expect.element(region('Status')).toMatchTextContent('Case Was Received');
  await expect.element(heading('Status not available right now')).not.toBeInTheDocument();
});

test('a number that the agency does not recognize shows no status', async ({ api }) => {
  signedIn(api);
  api.responds(endpoints.lookUpCase, 404, {
    error: 'Not recognized.',
    code: 'RECEIPT_NOT_RECOGNIZED',
    agencyMessage: 'Call <a href="https://evil.example">us</a>.',
  });
  await showApp(PATH);
  await expect.element(heading('Receipt number not recognized')).toBeVisible();
  const words = page.getByText('Call <a href="https://evil.example">us</a>.', { exact: true });
  expect(words.element().outerHTML).toMatch(/^<q lang="en">/);
  await expect.element(page.getByText(/^USCIS says:/)).toBeVisible();
  await expect.element(region('Status')).not.toBeInTheDocument();
  await expectAccessible();
});

test.for(['/cases/nonsense', '/cases/EAC99991034', '/cases/%3Cimg%20src=x%20onerror=alert(1)%3E'])(
  '%s is no case, and nothing is asked for',
  async (path, { api }) => {
    signedIn(api);
    await showApp(path);
    await expect.element(heading('Not a receipt number')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Go to Search' })).toHaveAttribute('href', '/');
    expect(document.querySelectorAll('img')).toHaveLength(0);
    await expectAccessible();
  },
);

test('an address with hyphens and small letters leads to the case', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp('/cases/eac-99-991-03403');
  await expect.element(page.getByRole('heading', { name: NUMBER, level: 1 })).toBeVisible();
});

test('a check that finds no change says so where it was asked for, and the focus stays', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { observedAt: '2026-01-04T15:00:00.000Z' }));
  await showApp(PATH);
  await expect.element(region('Status')).toMatchTextContent('Last checked Jan 4, 2026 3:00 PM');
  const asked = api.holds(endpoints.lookUpCase);
  await button('Check now').click();
  await expect.element(button('Checking...')).toHaveFocus();
  asked[0]?.answer(
    caseResult(NUMBER, {
      observedAt: new Date().toISOString(),
      histCaseData: [
        historyEntry('Case Was Received', '2026-01-01', { firstObservedAt: '2026-01-04T15:00:00.000Z' }),
      ],
    }),
  );
  await expect.element(region('Status')).toMatchTextContent(/No change, checked today/);
  await expect.element(button('Check now')).toHaveFocus();

  api.loses(endpoints.lookUpCase);
  await button('Check now').click();
  await expect.element(heading('No answer')).toBeVisible();
  await expect.element(page.getByText('Check your internet connection.')).toBeVisible();
  await expect.element(region('Status')).toMatchTextContent('Case Was Received');
});

test('a case is saved, named, monitored and unsaved in its place', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(PATH);
  await expect.element(region('Not saved yet')).toBeVisible();
  api.answers(endpoints.saveCase, savedCase(NUMBER));
  api.answers(endpoints.listSavedCases, [savedCase(NUMBER)]);
  await button('Save').click();
  await expect.element(button('Saved')).toBeVisible();
  await expect.element(button('Add nickname')).toBeVisible();
  // Read for the screen, after the save, and once more when the watch is known.
  const reads = () => api.count(endpoints.listSavedCases);
  await expect.poll(reads).toBe(3);

  const named = savedCase(NUMBER, { nickname: 'Mine' });
  api.answers(endpoints.changeSavedCase, named);
  api.answers(endpoints.listSavedCases, [named]);
  await button('Add nickname').click();
  await userEvent.keyboard('Mine{Enter}');
  await expect.element(button('Mine')).toHaveFocus();
  await expect.element(page.getByRole('heading', { name: 'Mine', level: 1 })).toBeVisible();
  expect(document.title).toBe('Case Was Received · Mine | Casewatch');

  const watched = savedCase(NUMBER, { nickname: 'Mine', monitoringFrequency: 'daily' });
  api.answers(endpoints.changeSavedCase, watched);
  api.answers(endpoints.listSavedCases, [watched]);
  api.answers(endpoints.listWatches, [
    {
      receiptNumber: NUMBER,
      frequency: 'daily',
      lastCheckedAt: null,
      nextCheckAt: '2030-01-06T15:00:00.000Z',
      late: { code: 'AGENCY_BUSY', reason: 'The agency is limiting requests right now.' },
    },
  ]);
  await page.getByLabelText(`Monitoring frequency of ${NUMBER}`).selectOptions('Daily');
  await expect.element(region('Your case')).toMatchTextContent(/Next check Jan 6, 2030 3:00 PM/);
  await expect.element(region('Your case')).toMatchTextContent(/The agency is limiting requests/);
  await expectAccessible();

  api.answers(endpoints.removeSavedCase, undefined);
  api.answers(endpoints.listSavedCases, []);
  await button('Saved').click();
  await expect.element(button('Save')).toHaveFocus();
  await expect.element(region('Not saved yet')).toBeVisible();
});

test('tags are edited in their place, and a tag of 10,000 characters is refused with what was typed kept', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(NUMBER)]);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp(PATH);
  await button(`Add tags of ${NUMBER}`).click();
  const field = page.getByLabelText(`Tags of ${NUMBER}, separated by commas`);
  await field.fill('x'.repeat(10_000));
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('A tag must be at most 40 characters.')).toBeVisible();
  expect(changes).toHaveLength(0);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1280);
  await field.fill('Family, urgent, FAMILY');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes[0]?.body).toEqual({ tags: ['Family', 'urgent'] });
  keepsCases(api, [savedCase(NUMBER, { tags: ['Family', 'urgent'] })]);
  changes[0]?.answer(savedCase(NUMBER, { tags: ['Family', 'urgent'] }));
  await expect.element(button(`Edit tags of ${NUMBER}`)).toHaveFocus();
  await expect.element(region('Your case')).toMatchTextContent(/Family.*urgent/);
  await expectAccessible();
});

test('one saved case is read, not the whole list, and only its watch', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  const asked: (string | undefined)[] = [];
  api.serves(endpoints.listSavedCases, ({ query }) => {
    asked.push(query.receiptNumbers);
    return [savedCase(NUMBER, { monitoringFrequency: 'daily', nickname: 'Mom' })];
  });
  api.serves(endpoints.listWatches, ({ query }) => {
    asked.push(query.receiptNumbers);
    return [];
  });
  await showApp(PATH);
  await expect.element(region('Your case')).toMatchTextContent(/Being scheduled/);
  expect(new Set(asked)).toEqual(new Set([NUMBER]));
});

test('a named case stands under its name among the saved cases, and its number is copied', async ({
  api,
}) => {
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(NUMBER, { nickname: 'Abuela' })]);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(PATH);
  await expect.element(page.getByRole('heading', { name: 'Abuela', level: 1 })).toBeVisible();
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect.element(trail).toMatchTextContent('Saved CasesAbuela');
  await expect.element(trail.getByRole('link')).toHaveAttribute('href', '/saved-cases');
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await button('Copy receipt number').click();
  expect(write).toHaveBeenCalledWith(NUMBER);
  write.mockRestore();
  await expect.element(button('Copied')).toHaveFocus();
});

test('the trail of a case that is not saved leads to the search', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(PATH);
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect.element(trail.getByRole('link', { name: 'Search' })).toHaveAttribute('href', '/');
});

test('the link is copied, or the page says how to get it', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(PATH);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  await button('Copy link').click();
  await expectToast('Link copied');
  expect(write).toHaveBeenCalledWith(`${location.origin}${PATH}`);
  write.mockRejectedValueOnce(new Error('denied'));
  await button('Copy link').click();
  await expectToast('Error', 'The link could not be copied. Copy it from the address bar.');
  write.mockRestore();
});

test('signed out, the case waits behind the sign-in and is the first screen after it', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp(PATH);
  await expect.element(page.getByText(`Sign in or sign up to open case ${NUMBER}.`)).toBeVisible();
  await expectAccessible();
  api.answers(endpoints.logIn, FREE_USER);
  api.answers(endpoints.getMe, FREE_USER);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await page.getByLabelText('Email').fill('ada@example.test');
  await page.getByLabelText('Password').fill('correct horse 1');
  await button('Sign In').click();
  await expect.element(page.getByRole('heading', { name: NUMBER, level: 1 })).toHaveFocus();
  await expect.element(region('Status')).toMatchTextContent('Case Was Received');
});

test('the main parts are reached with the keyboard, in their order', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(PATH);
  await expect.element(button('Save')).toBeVisible();
  await settle();
  (page.getByRole('heading', { name: NUMBER, level: 1 }).element() as HTMLElement).focus();
  const names: string[] = [];
  for (let stop = 0; stop < 6; stop += 1) {
    await userEvent.tab();
    names.push(document.activeElement?.textContent?.trim() ?? '');
  }
  expect(names.filter((name) => name !== 'Share').slice(0, 5)).toEqual([
    'Copy receipt number',
    'Save',
    'Copy link',
    'Print',
    'Check now',
  ]);
});

test('alerts of a saved case are snoozed and come again', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'daily' })]);
  api.answers(endpoints.listWatches, []);
  const changes = api.holds(endpoints.changeSavedCase);
  await showApp(PATH);
  const snooze = page.getByLabelText('Snooze alerts');
  await snooze.selectOptions('For 30 days');
  await expect.poll(() => changes.length).toBe(1);
  const snoozedUntil = String(Object.entries(changes[0]?.body ?? {})[0]?.[1]);
  expect(changes[0]?.body).toEqual({ snoozedUntil });
  expect(Math.abs(Date.parse(snoozedUntil) - daysAgo(-30).getTime())).toBeLessThan(60_000);
  keepsCases(api, [savedCase(NUMBER, { monitoringFrequency: 'daily', snoozedUntil })]);
  changes[0]?.answer(savedCase(NUMBER, { monitoringFrequency: 'daily', snoozedUntil }));
  await expectToast('Updated', `Snoozed until ${formatDay(snoozedUntil)}.`);
  await expect.element(snooze).toHaveValue('snoozed');
  await expectAccessible();
  await snooze.selectOptions('Don’t snooze');
  await expect.poll(() => changes[1]?.body).toEqual({ snoozedUntil: null });
});

test('a printed case says whose it is and when it was printed, and asks for no confirmation of the address', async ({
  api,
}) => {
  signedIn(api, { ...FREE_USER, firstName: '<b>Ada</b>', emailVerified: false });
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp(PATH);
  await expect.element(region('Status')).toBeVisible();
  const request = page.getByText('Confirm your email address.');
  await expect.element(request).toBeVisible();
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    await expect.element(request).not.toBeVisible();
    const printed = page.getByText(/^<b>Ada<\/b> Lovelace, printed on \w{3} \d{1,2}, \d{4}$/);
    await expect.element(printed).toBeVisible();
    await expect.element(region('Status')).toBeVisible();
  } finally {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' });
  }
});

test('a status that needs action asks for the date on the notice, which is added, done and removed', async ({
  api,
}) => {
  signedIn(api);
  const asking = { caseStatus: 'Request for Additional Evidence Was Sent', needsAction: true };
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, asking));
  const saved = savedCase(NUMBER);
  const date = {
    id: '11111111-1111-4111-8111-111111111111',
    kind: 'respond-by' as const,
    day: '2020-02-03',
    label: 'By mail',
    doneAt: null,
    setAt: saved.createdAt,
  };
  api.answers(endpoints.listSavedCases, [saved]);
  await showApp(PATH);
  const dates = region('Dates');
  await expect.element(dates).toMatchTextContent('What date is printed on the notice?');
  await button('Add a date').click();
  await button('Save').click();
  await expect.element(dates).toMatchTextContent('Enter a date that exists, from 1900 to 2199.');
  await page.getByLabelText('Date on the notice').fill('2020-02-03');
  await expect.element(dates).toMatchTextContent('This day has passed.');
  await page.getByLabelText('Note (optional)').fill('By mail');
  await expectAccessible();
  api.answers(endpoints.putCaseDate, { ...saved, dates: [date] });
  api.answers(endpoints.listSavedCases, [{ ...saved, dates: [date] }]);
  await userEvent.keyboard('{Enter}');
  await expect.element(dates).toMatchTextContent('Respond by: Feb 3, 2020');
  await expect.element(dates).not.toMatchTextContent('What date is printed on the notice?');
  await expect.element(button('Add a date')).toBeVisible();
});
