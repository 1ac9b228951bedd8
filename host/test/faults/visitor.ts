/** What a person asks of the product, and what each request needs besides the gateway. */
export const REQUESTS = ['page', 'saved cases', 'notifications', 'lookup', 'sign-in'] as const;
export type RequestName = (typeof REQUESTS)[number];

export interface Answered {
  name: RequestName;
  status: number;
  retryAfter: string | null;
  tookMs: number;
  body: string;
}

const ACCOUNT = { email: 'pro@demo.test', password: 'demo-demo-demo' };
const PATIENCE_MS = 60_000;
const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** A signed-in person with a browser's requests. */
export async function createVisitor(url: string) {
  let looked = 0;
  const signIn = () =>
    fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: UNSAFE,
      body: JSON.stringify(ACCOUNT),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  const first = await signIn();
  if (first.status !== 200) throw new Error(`sign-in answered ${first.status}: ${await first.text()}`);
  const cookie = first.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const get = (path: string) =>
    fetch(url + path, { headers: { cookie }, signal: AbortSignal.timeout(PATIENCE_MS) });
  const requests: Record<RequestName, () => Promise<Response>> = {
    page: () => get('/api/docs'),
    'saved cases': () => get('/api/saved-cases'),
    notifications: () => get('/api/notifications'),
    // Another case each time: nothing stored can answer it.
    lookup: () => get(`/api/case-status/WAC${String(2 * ++looked).padStart(10, '0')}`),
    'sign-in': signIn,
  };
  async function answered(name: RequestName, request: () => Promise<Response>): Promise<Answered> {
    const startedMs = performance.now();
    try {
      const answer = await request();
      const body = (await answer.text()).slice(0, 300);
      const retryAfter = answer.headers.get('retry-after');
      return { name, status: answer.status, retryAfter, tookMs: performance.now() - startedMs, body };
    } catch (error) {
      return {
        name,
        status: 0,
        retryAfter: null,
        tookMs: performance.now() - startedMs,
        body: String(error),
      };
    }
  }
  return {
    /** Resolves also when nothing answers: then the status is 0. */
    ask: (name: RequestName) => answered(name, requests[name]),
    lookUp: (receiptNumber: string) => answered('lookup', () => get(`/api/case-status/${receiptNumber}`)),
  };
}
export type Visitor = Awaited<ReturnType<typeof createVisitor>>;
