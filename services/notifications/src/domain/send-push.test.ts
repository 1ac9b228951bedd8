import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createPushSender, type Push, type PushOutcome } from './send-push.ts';
import { lastStartMs, PUSH_POST_MAX_MS, PUSH_SEND_MAX_MS, SESSION_CHECK_MAX_MS } from './send-times.ts';

const PUSH: Push = {
  target: {
    id: 'phone',
    userId: 'ada',
    sessionId: 'session',
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

/** `session`: what identity says of the device's session; `isTaken`: the device has subscribed in another one. */
function createSender(
  outcome: PushOutcome,
  {
    note = async () => {},
    session = async () => true,
    isTaken = false,
  }: { note?: () => Promise<void>; session?: () => Promise<boolean>; isTaken?: boolean } = {},
) {
  const clock = createManualClock(1_000);
  const noted: unknown[][] = [];
  const logged: { level: number }[] = [];
  let unauthorized = 0;
  let isClosed = false;
  let sent = 0;
  const take = async (...what: unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    await note();
    noted.push(what);
  };
  const sender = createPushSender({
    transport: {
      send: async () => {
        sent++;
        return outcome;
      },
      close: async () => {
        isClosed = true;
      },
    },
    devices: {
      noteSuccess: (id, nowMs) => take('worked', id, nowMs),
      noteFailure: (id, reason, nowMs) => take('failed', id, reason, nowMs),
      forget: async ({ id, sessionId }) => {
        await take('forgotten', id, sessionId);
        return !isTaken;
      },
    },
    sessions: { isGranted: session },
    clock,
    logger: pino({}, { write: (line) => logged.push(JSON.parse(line)) }),
    onUnauthorized: () => {
      unauthorized++;
    },
  });
  const send = () => sender.send(PUSH, new AbortController().signal);
  return {
    sender,
    send,
    noted,
    logged,
    sent: () => sent,
    unauthorized: () => unauthorized,
    isClosed: () => isClosed,
    clock,
  };
}

test.each<[PushOutcome, unknown[]]>([
  [{ kind: 'sent' }, ['worked', 'phone', 1_000]],
  [{ kind: 'refused', reason: 'gone-410', means: 'gone' }, ['forgotten', 'phone', 'session']],
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
  const { send, logged } = createSender(
    { kind: 'sent' },
    { note: () => Promise.reject(new Error('no database')) },
  );
  expect(await send()).toEqual({ kind: 'sent' });
  expect(logged).toMatchObject([{ level: 40, msg: 'send push: result not noted for the device' }]);
});

test('a message to a device that the product fails to remove is tried again, so that what waits for the device is handed on', async () => {
  const { send } = createSender(
    { kind: 'refused', reason: 'gone-410', means: 'gone' },
    { note: () => Promise.reject(new Error('no database')) },
  );
  expect(await send()).toEqual({ kind: 'deferred', reason: 'gone-410' });
});

test('nothing is sent to a device whose session was ended, and the device is removed', async () => {
  const { send, sent, noted } = createSender({ kind: 'sent' }, { session: async () => false });
  expect(await send()).toEqual({ kind: 'refused', reason: 'session-ended', means: 'gone' });
  expect([sent(), noted]).toEqual([0, [['forgotten', 'phone', 'session']]]);
});

test('a message to a device that has subscribed in another session since it was claimed is tried again', async () => {
  const { send, sent } = createSender({ kind: 'sent' }, { session: async () => false, isTaken: true });
  expect(await send()).toEqual({ kind: 'deferred', reason: 'session-ended' });
  expect(sent()).toBe(0);
});

test('while it is unknown whether the session was ended, messages wait', async () => {
  const { send, sent, noted, logged } = createSender(
    { kind: 'sent' },
    { session: () => Promise.reject(new Error('identity is unavailable')) },
  );
  expect(await send()).toEqual({ kind: 'unavailable', reason: 'identity' });
  expect([sent(), noted]).toEqual([0, []]);
  expect(logged).toMatchObject([{ level: 40, msg: 'send push: session lookup failed, will retry' }]);
});

test('a process that stood still after identity was asked sends nothing, and nor does one that waited for long', async () => {
  const { send, sent, noted, clock } = createSender(
    { kind: 'sent' },
    {
      session: async () => {
        await clock.advance(SESSION_CHECK_MAX_MS + 1);
        return true;
      },
    },
  );
  expect(await send()).toEqual({ kind: 'unavailable', reason: 'identity' });
  expect([sent(), noted]).toEqual([0, []]);
});

test('a message that is begun as late as its lease allows is posted while the lease covers the post', async () => {
  const { send, sent, clock } = createSender(
    { kind: 'sent' },
    { session: () => clock.advance(SESSION_CHECK_MAX_MS).then(() => true) },
  );
  const leaseUntilMs = clock.nowMs() - lastStartMs(0, PUSH_SEND_MAX_MS);
  await send();
  expect(sent()).toBe(1);
  expect(leaseUntilMs - clock.nowMs()).toBeGreaterThan(PUSH_POST_MAX_MS);
});

test('it closes with its connections', async () => {
  const { sender, isClosed } = createSender({ kind: 'sent' });
  await sender.close();
  expect(isClosed()).toBe(true);
});
