import { z } from 'zod';
import { patiently } from './patiently.ts';

/** A user with watched cases at the simulated agency, notified of every move. */
export interface Watcher {
  /** Cases made at the agency, saved, watched and checked once. */
  watch(receiptNumbers: readonly string[]): Promise<void>;
  move(receiptNumber: string, status: string): Promise<void>;
  /** Every notification there is, as `notice` writes it, or only the `newest` hundred. */
  notices(which?: { newest: boolean }): Promise<string[]>;
}

const DEMO = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const PATIENCE_MS = 20_000;
const PAGE = 100;
const SavedCases = z.array(z.object({ receiptNumber: z.string(), lastKnownStatus: z.string().nullable() }));
const Notifications = z.array(z.object({ id: z.string(), receiptNumber: z.string(), newStatus: z.string() }));

/** That this case has come to this status. */
export const notice = (receiptNumber: string, status: string): string => `${receiptNumber} ${status}`;

/** `gatewayUrl` and `agencyUrl` are the addresses of their Services. */
export async function createWatcher(gatewayUrl: string, agencyUrl: string, origin: string): Promise<Watcher> {
  let cookie = '';
  await call('POST', '/api/auth/login', DEMO);

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(new URL(path, gatewayUrl), {
      method,
      headers: { origin, cookie, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
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
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}`);
  }

  async function page(before: string | undefined) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(before ? { before } : {}) });
    return Notifications.parse(await call('GET', `/api/notifications?${query}`));
  }

  return {
    move,
    watch: async (receiptNumbers) => {
      const saved = async () => SavedCases.parse(await call('GET', '/api/saved-cases'));
      const there = new Set((await saved()).map(({ receiptNumber }) => receiptNumber));
      for (const receiptNumber of receiptNumbers) {
        await move(receiptNumber, 'Case Was Received');
        if (there.has(receiptNumber)) continue;
        await call('POST', '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
        await call('PATCH', `/api/saved-cases/${receiptNumber}`, { monitoringFrequency: 'daily' });
      }
      await patiently('every case has been checked', async () => {
        const known = (await saved()).filter(
          ({ lastKnownStatus }) => lastKnownStatus === 'Case Was Received',
        );
        return receiptNumbers.every((each) => known.some(({ receiptNumber }) => receiptNumber === each));
      });
    },
    notices: async (which) => {
      const found = await page(undefined);
      for (let more = found.slice(); more.length === PAGE && !which?.newest; found.push(...more)) {
        more = await page(found.at(-1)?.id);
      }
      return found.map(({ receiptNumber, newStatus }) => notice(receiptNumber, newStatus));
    },
  };
}
