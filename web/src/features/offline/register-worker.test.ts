import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { registerWorker } from './register-worker.ts';

type Listener = (event: { sw?: object }) => void;

const { listeners, registration, made } = vi.hoisted(() => ({
  listeners: new Map<string, Listener>(),
  registration: { active: null as object | null },
  made: { workers: 0 },
}));
vi.mock('workbox-window', () => ({
  Workbox: class {
    constructor() {
      made.workers += 1;
    }
    addEventListener = (type: string, listener: Listener) => void listeners.set(type, listener);
    register = async () => registration;
    messageSkipWaiting = () => undefined;
    update = async () => undefined;
  },
}));

beforeEach(() => {
  vi.stubEnv('PROD', true);
  vi.stubGlobal('navigator', { serviceWorker: {} });
  vi.stubGlobal('document', {
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    visibilityState: 'visible',
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** What is offered when a worker has been waiting for a moment. */
async function offersFor(waiting: object, active: object | null): Promise<number> {
  registration.active = active;
  const offered = vi.fn();
  const stop = registerWorker(offered);
  listeners.get('waiting')?.({ sw: waiting });
  // The promises that are already settled.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  stop();
  return offered.mock.calls.length;
}

test('a worker that waits behind another one is a new version', async () => {
  expect(await offersFor({ name: 'newer' }, { name: 'older' })).toBe(1);
});

test('the first worker is no new version, however slowly the device activates it', async () => {
  const first = { name: 'first' };
  expect(await offersFor(first, null)).toBe(0);
  expect(await offersFor(first, first)).toBe(0);
});

test.each([
  ['a browser that has none, or forbids them here', () => vi.stubGlobal('navigator', {})],
  ['the development server', () => vi.stubEnv('PROD', false)],
])('there is no worker in %s, and the app works without', (_, stub) => {
  stub();
  const before = made.workers;
  const stop = registerWorker(vi.fn());
  stop();
  expect(made.workers).toBe(before);
});
