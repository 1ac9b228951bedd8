import { afterAll, beforeAll, type ExpectStatic, test } from 'vitest';
import { type MailingProduct, startMailingProduct } from '../src/mails.ts';
import { type Engine, type Part, type Place, placeOf, WIDTH } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startGate } from './gate.ts';
import { startWebKit } from './webkit.ts';

/** Each with a case of its own. */
const ENGINES = {
  Firefox: { start: startFirefox, receiptNumber: 'WAC9990000014' },
  WebKitGTK: { start: startWebKit, receiptNumber: 'WAC9990000015' },
};
const PASSWORD = 'correct horse 1';
/** What a page says of an interface that the engine lacks. */
const LACKS = {
  PushManager: ['/profile/notifications', 'This browser can’t show push notifications.'],
  PublicKeyCredential: ['/profile/security', 'This browser can’t add passkeys.'],
};
/** What an engine says of a load that the walk itself ended: it goes on to the next page while parts of this one still come. */
const OF_LEAVING = [
  /cannot load \S+ due to access control checks/,
  // The page was left as it began to ask for the worker: the next one asks again.
  /Cannot load \S+\/sw\.js due to access control checks/,
  /A ServiceWorker intercepted the request and encountered an unexpected error/,
  /Loading failed for the module/,
  /was interrupted while the page was loading/,
];
/** WebKitGTK is built without web app manifests, and Safari with them. */
const OF_BUILD = [/Unrecognized Content-Security-Policy directive 'manifest-src'/];
const isOfPage = (error: string) => ![...OF_LEAVING, ...OF_BUILD].some((known) => known.test(error));
/** More cases than a window shows, the one on top the last. */
const OTHERS = Array.from({ length: 8 }, (_, index) => `WAC999000010${index}`);
/** Less than what is above the first of them. */
const SCROLLED_PX = 100;
/** The narrowest window, and text of twice the size on a phone and on a desktop. */
const SIZES = [
  { width: 320, text: '100%' },
  { width: 390, text: '200%' },
  { width: WIDTH, text: '200%' },
  { width: WIDTH, text: '100%' },
];

let product: MailingProduct;

beforeAll(async () => {
  product = await startMailingProduct();
});

afterAll(() => product?.stop());

test.concurrent.for(Object.entries(ENGINES))(
  'in %s a person signs up, follows a case, pays and reads it offline',
  async ([name, { start, receiptNumber }], { expect, onTestFinished }) => {
    const gate = await startGate(product.url);
    const engine = await start(expect);
    // Also where the walk has taken too long.
    onTestFinished(async () => {
      await engine.close();
      gate.stop();
    });
    try {
      const person = personAt(engine, gate, expect);
      await walk(person, `${name.toLowerCase()}@example.test`, receiptNumber);
      await tidyMany(person);
      expect(engine.errors().filter(isOfPage), 'in the console').toEqual([]);
    } catch (cause) {
      const page = await engine.run(() => `${location.href}\n${document.body.innerText}`).catch(String);
      throw new Error(
        `${cause}\nIn the console: ${engine.errors().filter(isOfPage)}\nThe page then: ${page}`,
        { cause },
      );
    }
  },
);

type Person = ReturnType<typeof personAt>;

/** Returns what a person does with this browser, which reaches the product through the gate. */
function personAt(engine: Engine, gate: Awaited<ReturnType<typeof startGate>>, expect: ExpectStatic) {
  const press = (role: Part['role'], name: string) => pressPart(engine, { role, name }, expect);
  return {
    engine,
    gate,
    expect,
    press,
    at: (path: string) => engine.open(gate.url + path),
    shows: (text: string) =>
      expect.poll(() => engine.run(() => document.body.innerText), { message: text }).toContain(text),
    fill: async (name: string, text: string) => {
      await press('field', name);
      await engine.type(text);
    },
  };
}

async function walk(person: Person, email: string, receiptNumber: string): Promise<void> {
  const { engine, gate, expect, at, press, shows, fill } = person;
  const signIn = async () => {
    await fill('Email', email);
    await fill('Password', PASSWORD);
  };

  await move(receiptNumber, 'Case Was Received');
  await at('/');
  await press('link', 'Get Started Free');
  await press('tab', 'Sign Up');
  await fill('First Name', 'Ada');
  await fill('Last Name', 'Tester');
  await signIn();
  await press('button', 'Create Account');
  await shows('Check Case Status');

  await at(await linkTo(email, expect));
  await fill('Password', PASSWORD);
  await press('button', 'Confirm email address');
  await shows('Email address confirmed');
  for (const [api, [path = '', words = '']] of Object.entries(LACKS)) {
    await at(path);
    const has = await engine.run((name) => name in window, api);
    await expect.poll(() => engine.run(includes, words), { message: words }).toBe(!has);
  }
  await press('button', 'User menu');
  await press('menuitem', 'Log out');
  await shows('Get Started Free');
  await at('/auth');
  await signIn();
  await press('button', 'Sign In');
  await fill('Receipt Number', receiptNumber);
  await press('button', 'Check Status');
  await press('button', 'Save');
  await shows('Saved\n');

  await at('/upgrade');
  // The form stands higher from then on.
  await shows('Subscribe to Pro - $9/month');
  await engine.typeInFrame('.payment-element iframe', {
    '#number': '4242424242424242',
    '#expiry': '1240',
    '#cvc': '123',
    '#zip': '10001',
  });
  await press('button', 'Subscribe to Pro - $9/month');
  await shows('Check Case Status');

  await at('/saved-cases');
  await shows(receiptNumber);
  await engine.run(monitorDaily);
  await expect.poll(() => engine.run(lastCheck)).toBeTruthy();
  await move(receiptNumber, 'Case Was Approved');
  // A lookup is an observation like a scheduled check.
  await engine.run(observe, receiptNumber);
  await press('button', 'Notifications, 1 unread');
  await shows('Case Was Approved');

  await at('/saved-cases');
  await shows('Case Was Approved');
  await expect.poll(() => engine.run(hasKept, receiptNumber), { message: 'kept on the device' }).toBe(true);
  await engine.run(untilInstalled);
  gate.shut();
  await at('/saved-cases');
  await shows('Offline. Saved statuses as of');
  await shows(receiptNumber);
  gate.open();

  const screens = [
    ['/', receiptNumber],
    ['/saved-cases', receiptNumber],
    [`/cases/${receiptNumber}`, receiptNumber],
    ['/profile', email],
    ['/guide', 'USCIS'],
  ] as const;
  for (const language of ['en', 'es']) {
    await at('/profile');
    await engine.run(speak, language);
    for (const [path, words] of screens) {
      await at(path);
      await expect.poll(() => engine.run(isThere, language, words), { message: path }).toBe(true);
      for (const { width, text } of SIZES) {
        await engine.resize(width);
        const message = `${path} in ${language} at ${width} px with text of ${text}`;
        await expect.poll(() => engine.run(sticksOut, width, text), { message }).toEqual([]);
      }
    }
  }
}

/** In Spanish, as the walk ends: removes the first of many cases and takes that back, then shows them as a table. */
async function tidyMany({ engine, expect, at, press, shows }: Person): Promise<void> {
  await engine.run(save, OTHERS);
  await at('/saved-cases');
  const first = OTHERS.at(-1) ?? '';
  await shows(first);
  await engine.run(scrollDown, SCROLLED_PX);
  await press('button', `Quitar ${first}`);
  await press('button', 'Quitar');
  await press('button', 'Deshacer');
  await shows('Se deshizo en 1 caso');
  await shows(first);
  expect(await engine.run(scrolledTo), 'where the page is after a removal is undone').toBe(SCROLLED_PX);
  await press('button', 'Tabla');
  await expect.poll(() => engine.run(tableExcess), { message: 'wider than its place' }).toEqual([0, 0]);
}

/** Presses the middle of a part, once it is at rest. */
async function pressPart(engine: Engine, part: Part, expect: ExpectStatic): Promise<void> {
  let place = null as Place | null;
  const isAtRest = async () => {
    const before = place;
    place = await engine.run(placeOf, part);
    return place !== null && before?.x === place.x && before.y === place.y;
  };
  await expect.poll(isAtRest, { message: `${part.role} ${part.name}` }).toBe(true);
  if (place) await engine.clickAt(place.x, place.y);
}

// What follows runs in the page.

const includes = (words: string) => document.body.innerText.includes(words);

const observe = async (receiptNumber: string) => (await fetch(`/api/case-status/${receiptNumber}`)).ok;

const lastCheck = async () => (await (await fetch('/api/watches')).json())[0]?.lastCheckedAt;

function monitorDaily(): void {
  const frequency = document.querySelector<HTMLSelectElement>('.saved-case select');
  if (!frequency) throw new Error('no case can be monitored');
  frequency.value = 'daily';
  frequency.dispatchEvent(new Event('change', { bubbles: true }));
}

function hasKept(receiptNumber: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('casewatch');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('kept').objectStore('kept').get('snapshot');
      reading.onsuccess = () => {
        opening.result.close();
        resolve(JSON.stringify(reading.result ?? '').includes(receiptNumber));
      };
    };
  });
}

async function untilInstalled(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (active?.state === 'activated') return;
  await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
}

async function speak(language: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch('/api/auth/me', { method: 'PATCH', headers, body: JSON.stringify({ language }) });
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `language=${language}; path=/`;
}

const isThere = (language: string, words: string) =>
  document.documentElement.lang === language && document.body.innerText.includes(words);

async function save(receiptNumbers: readonly string[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (const receiptNumber of receiptNumbers) {
    const body = JSON.stringify({ receiptNumber, monitoringFrequency: 'none' });
    const answer = await fetch('/api/saved-cases', { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

/** Scrolls the page to there, and marks on it where else it goes. */
function scrollDown(top: number): void {
  scrollTo({ top, behavior: 'instant' });
  addEventListener('scroll', () => {
    if (scrollY !== top) document.documentElement.dataset.scrolledTo = String(scrollY);
  });
}

const scrolledTo = () => Number(document.documentElement.dataset.scrolledTo ?? scrollY);

/** Returns by how many pixels the table is wider than its place, and the page than the window. */
function tableExcess(): number[] {
  return ['.case-table-area', 'html'].map((selector) => {
    const { scrollWidth = Number.NaN, clientWidth = 0 } = document.querySelector(selector) ?? {};
    return scrollWidth - clientWidth;
  });
}

/** Returns what reaches beyond the right edge of a page that scrolls sideways, with text of this size. */
function sticksOut(width: number, text: string): string[] {
  const { style } = document.documentElement;
  style.fontSize = text;
  const { scrollWidth, clientWidth } = document.documentElement;
  if (window.innerWidth !== width) return [`the window is ${window.innerWidth} px wide`];
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > clientWidth)
    .map((one) => `${one.localName}.${one.getAttribute('class')} ${one.textContent?.slice(0, 30)}`);
}

async function move(receiptNumber: string, status: string): Promise<void> {
  const answer = await fetch(`${product.agencyUrl}/__control/cases/${receiptNumber}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  if (!answer.ok) throw new Error(`the agency answered ${answer.status}`);
}

/** Waits for the e-mail that asks to confirm the address, and returns its link's path. */
async function linkTo(email: string, expect: ExpectStatic): Promise<string> {
  const find = async () =>
    (await product.mails()).find(({ to, subject }) => to === email && /Confirm/.test(subject))?.links[0];
  await expect.poll(find, { message: 'the link of the e-mail' }).toBeDefined();
  const { pathname = '', hash = '' } = (await find()) ?? {};
  return pathname + hash;
}
