import { setTimeout as pause } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { followStream } from './notification-stream.ts';

const PRO = { email: 'pro@demo.test', password: 'demo-demo-demo' };
/** Signs in all the time, without a cookie: a sign-in ends the session that it is sent with. */
const FREE = { ...PRO, email: 'free@demo.test' };
const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const PATIENCE_MS = 30_000;
const BETWEEN_MS = 15;
/**
 * How long a kept connection may be idle: less than LEAVE_SECONDS of the process it leads to, as of any proxy in front of the
 * product. Of two connections, one may rest for long while the other is free each time.
 */
const MAX_IDLE_MS = 3_000;

/** Of all loads: the end of one may leave a case saved that another would save again. */
let numbers = 0;

export interface Step {
  method?: 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  as?: 'admin' | 'anonymous';
}

export type SteadyLoad = Awaited<ReturnType<typeof startSteadyLoad>>;

/** What a product needs for a load during which its processes are replaced. */
export const settingsForLoad = (passcode: string) => ({
  // Longer than an idle connection between two processes lasts.
  LEAVE_SECONDS: '5',
  // Each request asks identity for its session: calls between services must keep working too.
  SESSION_CACHE_SECONDS: '0',
  DEMO_ACCOUNTS: 'true',
  ADMIN_PASSCODE: passcode,
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_USER_PER_MINUTE: '1000000',
});

/**
 * People at work until `end`: reads and writes of every role one after the other, over kept connections and over new
 * ones, and an event stream; `also` is asked for more of them in each round. Whatever is not answered 2xx to its last byte is a failure.
 */
export async function startSteadyLoad(
  url: string,
  { passcode, also = () => [] }: { passcode: string; also?: () => readonly Step[] },
) {
  const cookies = {
    user: await cookieOf(`${url}/api/auth/login`, PRO),
    admin: await cookieOf(`${url}/api/admin/login`, { passcode }),
  };
  const agent = new Agent({ keepAliveMaxTimeout: MAX_IDLE_MS });
  const failures: string[] = [];
  let answered = 0;
  let ended = false;

  async function take({ method, path, body, headers, as }: Step, kept: boolean): Promise<void> {
    const what = `${method ?? 'GET'} ${path}${kept ? '' : ' (new connection)'}`;
    try {
      const answer = await fetch(url + path, {
        ...(method ? { method } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          ...UNSAFE,
          ...headers,
          ...(as === 'anonymous' ? {} : { cookie: cookies[as ?? 'user'] }),
          ...(kept ? {} : { connection: 'close' }),
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
        dispatcher: agent,
      });
      const text = await answer.text();
      if (answer.ok) answered++;
      else failures.push(`${what}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${what}: ${textOf(error)}`);
    }
  }

  /** Cases of its own each time: they are saved and removed again. */
  function round(): Step[] {
    const receiptNumber = `WAC${String(2 * ++numbers).padStart(10, '0')}`;
    return [
      { path: '/api/openapi.json' },
      { path: '/api/auth/me' },
      { path: `/api/case-status/${receiptNumber}` },
      { method: 'POST', path: '/api/saved-cases', body: { receiptNumber, monitoringFrequency: 'daily' } },
      { path: '/api/saved-cases' },
      { path: '/api/notifications' },
      { method: 'POST', path: '/api/notifications/read-all', body: {} },
      { method: 'DELETE', path: `/api/saved-cases/${receiptNumber}` },
      { path: '/api/billing/subscription' },
      { path: '/api/surveys/pending' },
      { path: '/api/admin/logs?limit=1', as: 'admin' },
      { method: 'POST', path: '/api/auth/login', body: FREE, as: 'anonymous' },
      ...also(),
    ];
  }

  async function lane(kept: boolean): Promise<void> {
    while (!ended) {
      for (const step of round()) {
        await take(step, kept);
        await pause(BETWEEN_MS);
      }
    }
  }

  const stream = followStream(`${url}/api/notifications/stream`, cookies.user, (how) => failures.push(how));
  const lanes = [true, true, true, false, false].map(lane);
  return {
    failures: failures as readonly string[],
    answered: () => answered,
    /** Asks once more, over a new connection; resolves when it is answered or has failed. */
    ask: (step: Step) => take(step, false),
    /** Of the signed-in person. */
    cookie: cookies.user,
    userId: await userIdOf(`${url}/api/auth/me`, cookies.user),
    /** Notifications that the stream brought, by case. */
    received: stream.received,
    async end(): Promise<void> {
      ended = true;
      await Promise.all([...lanes, stream.end()]);
      await agent.destroy();
    },
  };
}

async function cookieOf(url: string, body: unknown): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers: UNSAFE, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function userIdOf(url: string, cookie: string): Promise<string> {
  const answer = (await (await fetch(url, { headers: { cookie } })).json()) as { id: string };
  return answer.id;
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error);
}
