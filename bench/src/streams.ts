import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { type Child, cpuSeconds, root, startChild } from './child.ts';
import { openStream, type StreamCounts } from './stream-client.ts';

/**
 * `npm run bench:streams`: the all-in-one product with so many streams of notifications: how long it takes until all that begin at
 * once are open, what they are answered and how long another user's list takes meanwhile; then memory and processor time
 * of an idle stream. Clients do as browsers do: they come back after the `retry:` they were given, and stay away after an
 * error. `BASELINE=<checkout>` measures that state first. A window of a minute holds every reopening of the state before.
 */
const STREAMS = Number(process.env.STREAMS ?? 2_000);
const IDLE_MS = Number(process.env.IDLE_MS ?? 62_000);
const OPEN_WITHIN_MS = 60_000;
const USERS = 40;

console.log(
  `| ${STREAMS} streams | open after s | lost to errors | turned away | list p99 ms: quiet, meanwhile | kB each | CPU µs/s each |\n|---|---|---|---|---|---|---|`,
);
const states = process.env.BASELINE ? [['before', path.resolve(process.env.BASELINE)] as const] : [];
for (const [name, checkout] of [...states, ['now', root] as const]) await measure(name, checkout);

async function measure(name: string, checkout: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
  const wide = '100000000';
  const product = await startChild(
    path.join(checkout, 'host/src/main.ts'),
    {
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: wide,
      RATE_LIMIT_PER_USER_PER_MINUTE: wide,
      SIGN_UPS_PER_ADDRESS: wide,
      NOTIFICATION_STREAMS_PER_USER: '1000',
    },
    /(?:ready at|listening at|open) (http:\S+)/,
  );
  const clients: { close(): void }[] = [];
  try {
    const cookies: string[] = [];
    for (let n = 0; n < USERS; n++) cookies.push(await signUp(product.found, n));
    const watch = watchList(product.found, cookies[0] ?? '');
    await systemClock.sleep(3_000);
    const quiet = watch.p99();
    const before = memory(product);
    const counts: StreamCounts = { open: 0, lost: 0, turnedAway: 0 };
    const startMs = performance.now();
    for (let n = 0; n < STREAMS; n++)
      clients.push(openStream(product.found, cookies[1 + (n % (USERS - 1))] ?? '', counts));
    while (counts.open + counts.lost < STREAMS && performance.now() - startMs < OPEN_WITHIN_MS)
      await systemClock.sleep(20);
    const seconds = (performance.now() - startMs) / 1_000;
    const meanwhile = watch.p99();
    watch.stop();
    const { open, lost, turnedAway } = counts;
    await systemClock.sleep(5_000);
    const each = (memory(product) - before) / open;
    const cpu = cpuSeconds([product]);
    await systemClock.sleep(IDLE_MS);
    const perSecond = ((cpuSeconds([product]) - cpu) * 1e6) / (IDLE_MS / 1e3) / open;
    console.log(
      `| ${name} | ${seconds.toFixed(1)} (${open} open) | ${lost} | ${turnedAway} | ${quiet.toFixed(0)}, ${meanwhile.toFixed(0)} | ${each.toFixed(0)} | ${perSecond.toFixed(1)} |`,
    );
  } finally {
    for (const client of clients) client.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One call after another by another user. `p99` is of the calls since it was last asked for. */
function watchList(url: string, cookie: string) {
  let times: number[] = [];
  let stopped = false;
  void (async () => {
    while (!stopped) {
      const startMs = performance.now();
      const request = http.get(`${url}/api/notifications`, {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      });
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      await once(answer.resume(), 'end');
      times.push(performance.now() - startMs);
      await systemClock.sleep(10);
    }
  })();
  return {
    p99() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    },
    stop() {
      stopped = true;
    },
  };
}

async function signUp(url: string, n: number): Promise<string> {
  const answer = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      email: `bench${n}@example.test`,
      password: 'measured under load',
      firstName: 'B',
      lastName: String(n),
    }),
  });
  if (!answer.ok) throw new Error(`the sign-up answered ${answer.status}: ${await answer.text()}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Resident memory in kB. */
function memory({ process: { pid } }: Child): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
