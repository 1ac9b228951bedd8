import { expect, test, vi } from 'vitest';
import { OPEN_PAGE, openPage, type Tab } from './open-page.ts';

const ORIGIN = 'https://casewatch.example.com';

/** A window that notes what is done with it; `answers`: whether it runs the app. */
function openTab(does: string[], { answers = true, isVisible = true, name = 'tab' } = {}): Tab {
  return {
    visibilityState: isVisible ? 'visible' : 'hidden',
    postMessage(message, [port]) {
      does.push(`${name} is asked for ${JSON.stringify(message)}`);
      if (answers && port instanceof MessagePort) port.postMessage(true);
    },
    async focus() {
      does.push(`${name} comes to the front`);
    },
    async navigate(url) {
      does.push(`${name} loads ${url}`);
    },
  };
}

async function click(path: unknown, tabs: Tab[], does: string[]): Promise<string[]> {
  await openPage(path, { origin: ORIGIN, tabs, openWindow: (url) => does.push(`a new window loads ${url}`) });
  return does;
}

const asked = (path: string) => JSON.stringify({ type: OPEN_PAGE, path });

test('an open app goes to the page itself and loads nothing anew', async () => {
  const does: string[] = [];
  expect(await click('/notifications/1?from=push', [openTab(does)], does)).toEqual([
    'tab comes to the front',
    `tab is asked for ${asked('/notifications/1?from=push')}`,
  ]);
});

test('of several tabs the visible one is taken', async () => {
  const does: string[] = [];
  const tabs = [openTab(does, { isVisible: false, name: 'hidden' }), openTab(does, { name: 'visible' })];
  expect(await click('/profile', tabs, does)).toContain('visible comes to the front');
  expect(does.join()).not.toContain('hidden');
});

test('a tab that does not answer loads the page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const does: string[] = [];
    const clicked = click('/saved-cases', [openTab(does, { answers: false })], does);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await clicked).at(-1)).toBe(`tab loads ${ORIGIN}/saved-cases`);
  } finally {
    vi.useRealTimers();
  }
});

test('a tab that the browser does not bring to the front goes there all the same', async () => {
  const does: string[] = [];
  const tab = { ...openTab(does), focus: () => Promise.reject(new Error('not allowed')) };
  expect(await click('/profile', [tab], does)).toEqual([`tab is asked for ${asked('/profile')}`]);
});

test('without an open tab a new window loads the page', async () => {
  expect(await click('/notifications/1', [], [])).toEqual([`a new window loads ${ORIGIN}/notifications/1`]);
});

test.each([
  'https://elsewhere.example/notifications/1',
  '//elsewhere.example/',
  '/.//elsewhere.example/',
  '/a/..//elsewhere.example/',
  '/%2e//elsewhere.example/',
  'javascript:alert(1)',
  '/no-such-page',
  undefined,
])('a message that leads to %s opens the first page of the app', async (path) => {
  expect(await click(path, [], [])).toEqual([`a new window loads ${ORIGIN}/`]);
});
