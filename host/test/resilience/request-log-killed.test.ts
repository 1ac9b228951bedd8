import { expect, onTestFinished, test } from 'vitest';
import { KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import { type Shape, startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** Every lookup that was answered is in the request log once, whatever is killed. */

const PEOPLE = 16;
const ANSWERS = 200;
const CASE = 'WAC0000000002';
const SETTLED_WITHIN_MS = 60_000;

test.each<Shape>(['all-in-one', 'kafka'])(
  '%s: what is killed while people look a stored case up, each of their answers is in the log once',
  { timeout: TEST_TIMEOUT_MS },
  async (shape) => {
    const product = await startWatchedProduct({
      shape,
      alsoRoles: ['gateway', 'identity', 'admin-log'],
      env: { DEMO_ACCOUNTS: 'true', FRESHNESS_SECONDS: '3600', RATE_LIMIT_PER_USER_PER_MINUTE: '1000000' },
    });
    onTestFinished(() => product.stop());
    const cookie = await signIn(product);
    const answered: string[] = [];
    for (let round = 1; round <= KILL_ROUNDS; round++) {
      for (const role of ['cases', 'admin-log'] as const) {
        const people = startPeople(product, cookie, answered);
        const before = answered.length;
        await mustCome('answers', async () => answered.length > before + ANSWERS);
        const [victim] = product.of(role);
        if (!victim) throw new Error(`there is no process of ${role}`);
        await victim.kill('SIGKILL');
        await people.stop();
        await product.restart(victim);
      }
    }
    expect(await product.settles(SETTLED_WITHIN_MS)).toBe(true);
    const rows = await product.database.query<{ request_id: string; rows: number }>(
      'SELECT request_id, count(*)::int AS rows FROM admin_log.calls WHERE request_id = ANY ($1::uuid[]) GROUP BY 1',
      [answered],
    );
    const logged = new Set(rows.map((row) => row.request_id));
    expect(answered.filter((id) => !logged.has(id))).toEqual([]);
    expect(rows.filter((row) => row.rows > 1)).toEqual([]);
  },
);

async function signIn({ url }: WatchedProduct): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email: 'pro@demo.test', password: 'demo-demo-demo' }),
  });
  expect(answer.status).toBe(200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** People who look the case up again and again; the request ids of their answers are added to `answered`. */
function startPeople({ url }: WatchedProduct, cookie: string, answered: string[]) {
  let isStopped = false;
  async function lookUp(): Promise<void> {
    while (!isStopped) {
      try {
        const answer = await fetch(`${url}/api/case-status/${CASE}`, { headers: { cookie } });
        await answer.text();
        if (answer.status === 200) answered.push(answer.headers.get('x-request-id') ?? '');
      } catch {
        // The process was killed: no request was answered.
      }
    }
  }
  const people = Array.from({ length: PEOPLE }, lookUp);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(people);
    },
  };
}
