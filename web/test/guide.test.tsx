import '../src/features/guide/guide-page.scss';
import { guidanceFor, guideId, needsAction, STATUSES } from '@casewatch/contracts/status-guide';
import { page, userEvent } from 'vitest/browser';
import { renderGuide } from '../src/features/guide/guide-page.tsx';
import { runGuide } from '../src/features/guide/run-guide.ts';
import { keepTheme } from '../src/features/theme/theme.ts';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { test as base, expect } from './component-test.tsx';

const SLOW_MACHINE_MS = 120_000;

/** The page as the server sends it, in a language, with its script. */
const test = base.extend<{ open: (language: 'en' | 'es') => HTMLElement }>({
  open: async ({ task: _ }, use) => {
    let end = () => {};
    const root = document.createElement('div');
    await use((language) => {
      const { html, liveTexts } = renderGuide(language);
      root.innerHTML = html;
      root.dataset.texts = JSON.stringify(liveTexts);
      document.body.append(root);
      document.documentElement.lang = language;
      end = runGuide(root);
      return root;
    });
    end();
    root.remove();
    window.location.hash = '';
    keepTheme('light');
    document.documentElement.lang = 'en';
  },
});

const box = () => page.getByRole('searchbox');
const found = () => page.getByRole('status');
const entry = (title: string) => page.getByRole('article', { name: title, exact: true });
const shownEntries = () =>
  [...document.querySelectorAll('.guide-entry h3')]
    .filter((heading) => heading.closest('[hidden]') === null)
    .map(({ textContent }) => textContent);

test.for(['en', 'es'] as const)('in %s the page says of every status what the guide knows', (language) => {
  const holder = document.createElement('div');
  holder.innerHTML = renderGuide(language).html;
  expect(holder.querySelectorAll('.guide-entry')).toHaveLength(STATUSES.length);
  for (const { titles, action, forms = {} } of STATUSES) {
    const [main = ''] = Object.keys(titles);
    const text = holder.querySelector(`.guide-entry#${guideId(main)}`)?.textContent ?? '';
    for (const [title, spanish] of Object.entries(titles)) {
      const place = holder.querySelector(`[id="${guideId(title)}"]`)?.textContent;
      expect(place).toContain(title);
      if (language === 'es') expect(place).toContain(spanish);
      expect(text.includes(language === 'es' ? 'Requiere acción' : 'Needs action'), title).toBe(
        needsAction(title),
      );
    }
    expect(action !== undefined).toBe(needsAction(main));
    for (const form of ['', ...Object.keys(forms)]) {
      const { means, next, ifMissing = '', link, law = '' } = guidanceFor(main, form, language);
      for (const part of [form, means, next, ifMissing, link.name, law]) expect(text).toContain(part);
    }
  }
  const ids = [...holder.querySelectorAll('[id]')].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...holder.querySelectorAll('a[href^="#"]')].map((link) =>
    link.getAttribute('href')?.slice(1),
  );
  expect(targets.filter((id) => !ids.includes(id ?? ''))).toEqual([]);
});

test('the page says when it was reviewed, that notices count more, and leads to the lookup', async ({
  open,
}) => {
  open('en');
  const text = page.getByRole('main');
  await expect
    .element(text)
    .toMatchTextContent(/If a USCIS notice says something different, follow the notice\./);
  await expect.element(text).toMatchTextContent(/not legal advice\. Reviewed November 2026\./);
  await expect
    .element(page.getByRole('link', { name: 'Look up your case' }))
    .toHaveAttribute('href', '/auth');
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await expect
    .element(contents.getByRole('link', { name: 'Interview' }))
    .toHaveAttribute('href', '#phase-interview');
});

test.for([
  ['en', 'INTERVIEW  cancelled', 'Interview Cancelled'],
  ['en', 'oath ceremony cancelled', 'Oath Ceremony Was Canceled'],
  ['en', 'oath “ceremony”, cancell', 'Oath Ceremony Was Canceled'],
  ['en', 'U.S. consulate…', 'Case Was Approved And USCIS Notified The U.S. Consulate or Port of Entry'],
  ['en', 'pre certif', 'Premium Processing Case is Eligible for Pre-Certification'],
  ['en', 'fiance four', 'Case Was Approved'],
  ['es', 'ACCIÓN diferída', 'Se puso fin a la acción diferida para joven inmigrante especial'],
  [
    'es',
    'numero a 898 7180',
    'El caso fue enviado a la Oficina Ejecutiva de Revisión de Casos de Inmigración',
  ],
  ['en', 'intent deny', 'Notice of Intent to Deny Was Sent'],
  ['en', 'n400 oath', 'Case Was Approved'],
  ['en', 'N-400 oath', 'Case Was Approved'],
  ['en', 'response to uscis’ request', 'Correspondence Was Received And USCIS Is Reviewing It'],
  ['es', 'CITA BIOMETRICOS', 'Se programó la cita para datos biométricos'],
  ['es', 'biométricos canc\u00adelada', 'La cita para datos biométricos fue cancelada'],
  ['es', 'biometrics appointment scheduled', 'Se programó la cita para datos biométricos'],
  [
    'es',
    'abogado presento',
    'El caso fue actualizado para indicar que nadie se presentó al trámite en persona',
  ],
] as const)('in %s a search for “%s” finds “%s”', async ([language, words, title], { open }) => {
  open(language);
  await box().fill(words);
  await expect.element(entry(title)).toBeVisible();
  expect(shownEntries().length).toBeLessThan(12);
});

test('a search counts what it finds, hides the rest with its phases, and shows all again', async ({
  open,
}) => {
  open('en');
  await expect.element(found()).toMatchTextContent(/^$/);
  await box().fill('oath ceremony canceled');
  await expect.element(found()).toMatchTextContent(`Statuses shown: 1 of ${STATUSES.length}`);
  expect(shownEntries()).toEqual(['Oath Ceremony Was Canceled']);
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  expect(links.elements().map(({ textContent }) => textContent)).toEqual(['Decision']);
  await expect.element(page.getByRole('heading', { name: 'Interview', exact: true })).not.toBeInTheDocument();
  await box().fill('horoscope');
  await expect.element(found()).toMatchTextContent(/No status has all these words/);
  await userEvent.clear(box());
  expect(shownEntries()).toHaveLength(STATUSES.length);
  await expect.element(found()).toMatchTextContent(/^$/);
});

test('a link to an entry that the search hides shows it, with the focus', async ({ open }) => {
  open('en');
  await box().fill('oath ceremony canceled');
  window.location.hash = '#case-was-denied';
  const target = entry('Case Was Denied');
  await expect.element(target).toBeVisible();
  await expect.element(target).toHaveFocus();
  await expect.element(box()).toHaveValue('');
});

test('the other language opens at the same entry', async ({ open }) => {
  const root = open('en');
  window.location.hash = '#case-was-denied';
  // Only the address is looked at: to follow it would leave the test.
  root.addEventListener('click', (event) => event.preventDefault(), { once: true });
  const link = page.getByRole('link', { name: 'Español' });
  await link.click();
  await expect
    .element(link)
    .toHaveAttribute('href', expect.stringMatching(/\/guide\?lang=es#case-was-denied$/));
});

test('the page is accessible: in Spanish, whose texts are longer, at every width', {
  timeout: SLOW_MACHINE_MS,
}, async ({ open }) => {
  open('es');
  window.location.hash = '#interview-was-rescheduled';
  await expectAccessibleEverywhere();
});

test('the page is accessible in English', { timeout: SLOW_MACHINE_MS }, async ({ open }) => {
  open('en');
  await expectAccessible();
});
