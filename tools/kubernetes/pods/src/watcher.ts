import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** A person with watched cases at the simulated agency, who is told of every move. */
export interface Watcher {
  /** Cases made at the agency, saved, watched and checked once. */
  watch(receiptNumbers: readonly string[]): Promise<void>;
  move(receiptNumber: string, status: string): Promise<void>;
  /** How many notifications say that this case has come to this status. */
  told(receiptNumber: string, status: string): Promise<number>;
}

const DEMO = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const PATIENCE_MS = 60_000;
const POLL_MS = 300;
const SavedCases = z.array(z.object({ receiptNumber: z.string(), lastKnownStatus: z.string().nullable() }));
const Notifications = z.array(z.object({ receiptNumber: z.string(), newStatus: z.string() }));

/** `gatewayUrl` and `agencyUrl` are the addresses of their Services. */
export async function createWatcher(gatewayUrl: string, agencyUrl: string, origin: string): Promise<Watcher> {
  let cookie = '';
  await call('POST', '/api/auth/login', DEMO);

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(new URL(path, gatewayUrl), {
      method,
      headers: { origin, cookie, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return text === '' ? undefined : JSON.parse(text);
  }

  async function move(receiptNumber: string, status: string): Promise<void> {
    const answer = await fetch(`${agencyUrl}/__control/cases/${receiptNumber}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status }),
    });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}`);
  }

  return {
    move,
    watch: async (receiptNumbers) => {
      for (const receiptNumber of receiptNumbers) {
        await move(receiptNumber, 'Case Was Received');
        await call('POST', '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
        await call('PATCH', `/api/saved-cases/${receiptNumber}`, { monitoringFrequency: 'daily' });
      }
      await patiently('every case has been checked once', async () => {
        const saved = SavedCases.parse(await call('GET', '/api/saved-cases'));
        const known = saved.filter(({ lastKnownStatus }) => lastKnownStatus !== null);
        return receiptNumbers.every((each) => known.some(({ receiptNumber }) => receiptNumber === each));
      });
    },
    told: async (receiptNumber, status) => {
      const all = Notifications.parse(await call('GET', '/api/notifications'));
      return all.filter((one) => one.receiptNumber === receiptNumber && one.newStatus === status).length;
    },
  };
}

/** Resolves once `check` holds; what throws does not hold yet. @throws after a minute, or `patienceMs` */
export async function patiently(
  what: string,
  check: () => Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let last: unknown = 'it does not hold';
  for (;;) {
    try {
      if (await check()) return;
      last = 'it does not hold';
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`not in time: ${what} (${last})`);
    await pause(POLL_MS);
  }
}
