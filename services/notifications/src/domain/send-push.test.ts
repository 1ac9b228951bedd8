import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createPushSender, type Push, type PushOutcome } from './send-push.ts';

const PUSH: Push = {
  target: {
    id: 'phone',
    endpoint: 'https://push.example.com:8443/a-secret-address',
    p256dh: '',
    auth: '',
    language: 'en',
  },
  payload: '{}',
  ttlSeconds: 60,
  urgency: 'normal',
  topic: 't',
};

function createSender(outcome: PushOutcome, note = async () => {}) {
  const clock = createManualClock(1_000);
  const noted: unknown[][] = [];
  const logged: { level: number }[] = [];
  let unauthorized = 0;
  let isClosed = false;
  const take = async (...what: unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    await note();
    noted.push(what);
  };
  const sender = createPushSender({
    transport: {
      send: async () => outcome,
      close: async () => {
        isClosed = true;
      },
    },
    devices: {
      noteSuccess: (id, nowMs) => take('worked', id, nowMs),
      noteFailure: (id, reason, nowMs) => take('failed', id, reason, nowMs),
      forget: (id) => take('forgotten', id),
    },
    clock,
    logger: pino({}, { write: (line) => logged.push(JSON.parse(line)) }),
    onUnauthorized: () => {
      unauthorized++;
    },
  });
  const send = () => sender.send(PUSH, new AbortController().signal);
  return { sender, send, noted, logged, unauthorized: () => unauthorized, isClosed: () => isClosed };
}

test.each<[PushOutcome, unknown[]]>([
  [{ kind: 'sent' }, ['worked', 'phone', 1_000]],
  [{ kind: 'refused', reason: 'gone-410', means: 'gone' }, ['forgotten', 'phone']],
  [{ kind: 'refused', reason: 'http-413' }, ['failed', 'phone', 'http-413', 1_000]],
  [{ kind: 'deferred', reason: 'http-503' }, ['failed', 'phone', 'http-503', 1_000]],
])('after %j it is noted for the device', async (outcome, note) => {
  const { send, noted, logged, unauthorized } = createSender(outcome);
  expect(await send()).toEqual(outcome);
  expect([noted, logged, unauthorized()]).toEqual([[note], [], 0]);
});

test('a push service that does not believe the key is an error for the operator, who learns which one and no address', async () => {
  const outcome: PushOutcome = { kind: 'deferred', reason: 'http-403', means: 'unauthorized' };
  const { send, noted, logged, unauthorized } = createSender(outcome);
  expect(await send()).toEqual(outcome);
  expect(unauthorized()).toBe(1);
  expect(logged).toMatchObject([{ level: 50, service: 'push.example.com:8443', reason: 'http-403' }]);
  expect(JSON.stringify(logged)).not.toContain('a-secret-address');
  expect(noted).toEqual([['failed', 'phone', 'http-403', 1_000]]);
});

test('a note that fails changes nothing about the message', async () => {
  const { send, logged } = createSender({ kind: 'sent' }, () => Promise.reject(new Error('no database')));
  expect(await send()).toEqual({ kind: 'sent' });
  expect(logged).toMatchObject([{ level: 40, msg: 'send push: result not noted for the device' }]);
});

test('it closes with its connections', async () => {
  const { sender, isClosed } = createSender({ kind: 'sent' });
  await sender.close();
  expect(isClosed()).toBe(true);
});
