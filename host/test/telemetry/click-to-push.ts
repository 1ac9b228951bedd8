import { openStream } from '../../../services/notifications/test/stream-reader.ts';

const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const ACCOUNT = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const PATIENCE_MS = 30_000;

/** Tries again until something holds. @throws after half a minute with `what` */
export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * A demo account watches a case, which has been checked; the case moves; the person looks it up, and the notification
 * arrives on the stream of their browser. Needs FRESHNESS_SECONDS=0 and DEMO_ACCOUNTS.
 */
export async function clickToPush(options: { url: string; agencyUrl: string; receiptNumber: string }) {
  const { url, agencyUrl, receiptNumber } = options;
  const moveTo = (status: string) =>
    fetch(`${agencyUrl}/__control/cases/${receiptNumber}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status }),
    });
  await moveTo('Case Was Received');
  const cookie = await until('a sign-in', async () => {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: UNSAFE,
      body: JSON.stringify(ACCOUNT),
    });
    if (answer.status !== 200) return undefined;
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  });
  const headers = { ...UNSAFE, cookie };
  await fetch(`${url}/api/saved-cases`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ receiptNumber, monitoringFrequency: 'daily' }),
  });
  await until('the first check', async () => {
    const watches: unknown = await (await fetch(`${url}/api/watches`, { headers })).json();
    const mine = Array.isArray(watches) && watches.find((watch) => watch.receiptNumber === receiptNumber);
    return mine?.lastCheckedAt ? mine : undefined;
  });
  const leaving = new AbortController();
  const stream = await openStream(
    await fetch(`${url}/api/notifications/stream`, { headers, signal: leaving.signal }),
  );
  await moveTo('Case Was Approved');
  const answer = await fetch(`${url}/api/case-status/${receiptNumber}`, { headers });
  if (answer.status !== 200) throw new Error(`the lookup answered ${answer.status}`);
  while ((await stream.next())?.event !== 'notification');
  leaving.abort();
}
