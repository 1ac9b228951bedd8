import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { makeSelfSigned, type SelfSigned } from '@casewatch/testing/self-signed';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHECKS_IN_FLIGHT, KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { beginRound } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';
import {
  endSendingLeases,
  mailSettings,
  startWatchedProduct,
  type WatchedProduct,
} from '../faults/watched-product.ts';

/** R1 for e-mails: every change has its e-mail whatever is killed, and duplicates can be recognized by their message id. */

const SENT_WITHIN_MS = 120_000;
const ACCOUNT = { user: 'casewatch', password: 'p@ss/word' };

let certificate: SelfSigned;
let server: MailServer;
let product: WatchedProduct;
beforeEach(async () => {
  certificate = await makeSelfSigned();
  server = await startMailServer({ certificate, account: ACCOUNT });
  product = await startWatchedProduct({
    shape: 'all-in-one',
    callsPerSecond: CHECKS_IN_FLIGHT / 2,
    env: {
      ...mailSettings(server),
      // The password makes STARTTLS a must, and the certificate is believed through this file alone.
      SMTP_URL: `smtp://${ACCOUNT.user}:${encodeURIComponent(ACCOUNT.password)}@127.0.0.1:${server.port}`,
      NODE_EXTRA_CA_CERTS: certificate.certFile,
    },
  });
});
afterEach(async () => {
  await product.stop();
  await server.stop();
  certificate.remove();
});

test(`killed ${KILL_ROUNDS} times while e-mails flow: every change has its e-mail, over TLS`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await giveAccounts();
  for (let nth = 1; nth <= KILL_ROUNDS; nth++) {
    const before = server.mails().length;
    const { verdict } = await beginRound(product, nth, CHECKS_IN_FLIGHT);
    await mustCome('the first e-mails', async () => server.mails().length > before + 5, SENT_WITHIN_MS);
    // Taken, and the process never learns of it.
    const speak = server.keepSilent();
    const taken = server.mails().length;
    await mustCome('an e-mail without an answer', async () => server.mails().length > taken, SENT_WITHIN_MS);
    const [victim] = product.victims;
    await victim?.kill('SIGKILL');
    speak();
    await endSendingLeases(product);
    if (victim) await product.restart(victim);
    expect(await product.settles(SENT_WITHIN_MS)).toBe(true);
    await mustCome('the last e-mails', async () => (await waiting()) === 0, SENT_WITHIN_MS);
    expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
  }
  const notified = await product.database.query<{ id: string }>('SELECT id FROM notifications.notifications');
  const ids = server.mails().map(({ parsed }) => parsed.messageId);
  expect(new Set(ids)).toEqual(new Set(notified.map(({ id }) => `<${id}.status-changed@casewatch.test>`)));
  expect(ids.length - new Set(ids).size, 'e-mails that came twice').toBeGreaterThan(0);
  expect(server.mails().every(({ secure, user }) => secure && user === ACCOUNT.user)).toBe(true);
});

/** The watchers of a round have accounts with addresses. */
async function giveAccounts(): Promise<void> {
  await product.database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     SELECT id::uuid, id || '@people.test', id || '@people.test', '-', 'A', 'B', now(), now(), 'key'
     FROM generate_series(0, $1::int) AS n, concat('00000000-0000-4000-8000-', lpad(n::text, 12, '0')) AS id`,
    [1_000 + CHECKS_IN_FLIGHT],
  );
}

async function waiting(): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM notifications.notifications)::int
       - (SELECT count(*) FROM notifications.deliveries WHERE state = 'sent')::int AS count`,
  );
  return row?.count ?? 0;
}
