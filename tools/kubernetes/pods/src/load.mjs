// Run inside the cluster by the product's own image: asks the gateway for what a signed-in person sees, over kept and
// over fresh connections, until SIGTERM; then writes how it went as one line of JSON.
// LOAD_URL: the gateway; LOAD_ORIGIN: what browsers would send.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { LOAD_URL, LOAD_ORIGIN } = process.env;
const PATHS = ['/api/saved-cases', '/api/notifications', '/'];
const PAUSE_MS = 60;
const PATIENCE_MS = 15_000;

const headers = { origin: LOAD_ORIGIN, accept: 'text/html, application/json', cookie: await signUp() };
const faults = {};
let requests = 0;
let failed = 0;
let stopped = false;
process.once('SIGTERM', () => {
  stopped = true;
});
console.log('under way');
const kept = new http.Agent({ keepAlive: true });
const fresh = new http.Agent({ keepAlive: false });
await Promise.all([kept, kept, kept, fresh, fresh, fresh].map(worker));
kept.destroy();
console.log(JSON.stringify({ requests, failed, faults }));

async function worker(agent, index) {
  for (let turn = index; !stopped; turn += 1) {
    const path = PATHS[turn % PATHS.length];
    const fault = await ask(agent, path);
    requests += 1;
    if (fault) {
      failed += 1;
      const name = `${agent === kept ? 'kept' : 'fresh'} ${path}: ${fault}`;
      faults[name] = (faults[name] ?? 0) + 1;
    }
    await pause(PAUSE_MS);
  }
}

function ask(agent, path) {
  return new Promise((resolve) => {
    const request = http.get(new URL(path, LOAD_URL), { agent, headers, timeout: PATIENCE_MS }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      answer.on('end', () =>
        resolve(answer.statusCode === 200 ? undefined : `${answer.statusCode} ${body.slice(0, 120)}`),
      );
      answer.on('error', (error) => resolve(error.code ?? error.message));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve(error.code ?? error.message));
  });
}

async function signUp() {
  const answer = await fetch(new URL('/api/auth/signup', LOAD_URL), {
    method: 'POST',
    headers: { origin: LOAD_ORIGIN, 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `load-${Date.now()}@example.test`,
      password: crypto.randomUUID(),
      firstName: 'Load',
      lastName: 'Test',
    }),
  });
  if (!answer.ok) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`);
  return answer.headers.getSetCookie()[0].split(';')[0];
}
