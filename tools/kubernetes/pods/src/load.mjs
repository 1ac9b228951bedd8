// Run inside the cluster by the product's own image: asks the gateway for what a signed-in person sees, until SIGTERM;
// then writes how it went as one line of JSON. Each kind of caller meets another moment of a pod that leaves:
//   kept   over connections that stay open: one may be closed while a request is written to it
//   fresh  over a new connection each, many a second: one may be routed to a pod that no longer listens
//   slow   a write whose body takes seconds to come: one is in progress at any moment
// LOAD_URL: the gateway; LOAD_ORIGIN: what browsers would send; LOAD_KEPT, LOAD_FRESH, LOAD_SLOW: how many of each.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { LOAD_URL, LOAD_ORIGIN, LOAD_KEPT, LOAD_FRESH, LOAD_SLOW } = process.env;
const READS = ['/api/saved-cases', '/api/notifications', '/'];
const FRESH = ['/', '/', '/api/auth/me'];
const KEPT_PAUSE_MS = 60;
const FRESH_PAUSE_MS = 15;
const SLOW_MS = 4_000;
const SAVED = { receiptNumber: 'EAC9999103403', nickname: 'slow' };
const PATIENCE_MS = 30_000;

const headers = { origin: LOAD_ORIGIN, accept: 'text/html, application/json', cookie: await signUp() };
const { nickname, receiptNumber } = SAVED;
await post('/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' }, { cookie: headers.cookie });
const failures = {};
const requests = { kept: 0, fresh: 0, slow: 0 };
let failed = 0;
let stopped = false;
process.once('SIGTERM', () => {
  stopped = true;
});
console.log('load started');
const keeping = new http.Agent({ keepAlive: true });
const closing = new http.Agent({ keepAlive: false });
const callers = {
  kept: (turn) => ask(keeping, 'GET', READS[turn % READS.length]).finally(() => pause(KEPT_PAUSE_MS)),
  fresh: (turn) => ask(closing, 'GET', FRESH[turn % FRESH.length]).finally(() => pause(FRESH_PAUSE_MS)),
  slow: () => ask(closing, 'PATCH', `/api/saved-cases/${receiptNumber}`, JSON.stringify({ nickname })),
};
const counts = { kept: Number(LOAD_KEPT), fresh: Number(LOAD_FRESH), slow: Number(LOAD_SLOW) };
await Promise.all(
  Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, (_, n) => worker(kind, n))),
);
keeping.destroy();
console.log(JSON.stringify({ requests, failed, failures }));

async function worker(kind, first) {
  // Spread over the time that one takes.
  if (kind === 'slow') await pause((first * SLOW_MS) / counts.slow);
  for (let turn = first; !stopped; turn += 1) {
    const failure = await callers[kind](turn);
    requests[kind] += 1;
    if (!failure) continue;
    failed += 1;
    const name = `${kind}: ${failure}`;
    failures[name] = (failures[name] ?? 0) + 1;
  }
}

/** Resolves with what was wrong with the answer, if anything. The second half of a body is sent much later. */
function ask(agent, method, path, text) {
  const url = new URL(path, LOAD_URL);
  return new Promise((resolve) => {
    const failure = (what) => resolve(`${method} ${path}: ${what}`);
    const more = text ? { 'content-type': 'application/json', 'content-length': text.length } : {};
    const options = { agent, method, headers: { ...headers, ...more }, timeout: PATIENCE_MS };
    const request = http.request(url, options, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      answer.on('end', () => {
        if (answer.statusCode !== 200) failure(`${answer.statusCode} ${body.slice(0, 120)}`);
        // Then it did not last for as long as it should.
        else if (!request.writableEnded) failure('answered before all of it was sent');
        else resolve(undefined);
      });
      answer.on('error', (error) => failure(error.code ?? error.message));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => failure(error.code ?? error.message));
    if (!text) return request.end();
    request.write(text.slice(0, 2));
    return void pause(SLOW_MS).then(() => request.end(text.slice(2)));
  });
}

async function signUp() {
  const answer = await post('/api/auth/signup', {
    email: `load-${Date.now()}@example.test`,
    password: crypto.randomUUID(),
    firstName: 'Load',
    lastName: 'Test',
  });
  return answer.headers.getSetCookie()[0].split(';')[0];
}

async function post(path, body, more = {}) {
  const answer = await fetch(new URL(path, LOAD_URL), {
    method: 'POST',
    headers: { origin: LOAD_ORIGIN, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
