import { CONFIRM_EMAIL_PAGE, RESET_PASSWORD_PAGE } from '@casewatch/contracts/account-mails';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import { mailSettings, startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** Identity and notifications are killed while people recover accounts: every e-mail once, by its message id. */

const PEOPLE = 6;
const WITHIN_MS = 120_000;
const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'a better horse battery';
type Victim = 'identity' | 'notifications';

let server: MailServer;
let product: WatchedProduct;
beforeEach(async () => {
  server = await startMailServer({});
  product = await startWatchedProduct({
    shape: 'kafka',
    alsoRoles: ['gateway', 'identity'],
    env: {
      ACCOUNT_MAILS: 'true',
      ACCOUNT_MAILS_PER_ADDRESS: '1000',
      ACCOUNT_MAILS_PER_ACCOUNT: '1000',
      ACCOUNT_MAILS_PER_NETWORK: '10000',
      SIGN_UPS_PER_ADDRESS: '10000',
      // Requests are sent again and again while identity restarts.
      RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '1000000',
      ...mailSettings(server),
    },
  });
});
afterEach(async () => {
  await product.stop();
  await server.stop();
});

test(`identity and notifications killed ${KILL_ROUNDS} times between the steps of a recovery, and a replay: every e-mail once`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  for (let round = 1; round <= KILL_ROUNDS; round++) {
    // The other one of each pair in the next round.
    const [one, other]: readonly [Victim, Victim] =
      round % 2 === 1 ? ['identity', 'notifications'] : ['notifications', 'identity'];
    const people = Array.from({ length: PEOPLE }, (_, nth) => createPerson(`${round}-${nth}`));
    await whileKilled(one, people, (person) => person.signsUp());
    await whileKilled(other, people, async (person) => {
      await person.confirms(person.email);
      await person.signsIn(PASSWORD);
      await person.forgets();
    });
    await whileKilled(one, people, async (person) => {
      await person.resets();
      await person.signsIn(NEW_PASSWORD);
      await person.moves();
    });
    await whileKilled(other, people, (person) => person.confirms(person.nextEmail));
    for (const { email, nextEmail, expected } of people) {
      const received = mailsTo([email, nextEmail]);
      for (const [mail, [least, most]] of expected) {
        const count = received.filter((one) => one === mail).length;
        expect([least <= count, count <= most], `${count} of ${mail}`).toEqual([true, true]);
      }
      expect(received.filter((mail) => !expected.has(mail))).toEqual([]);
    }
  }
  const sent = await product.database.query<{ id: string }>(
    `SELECT id FROM notifications.deliveries WHERE kind = 'account' AND state = 'sent'`,
  );
  // Without the tag of the recipient.
  const ids = server.mails().map(({ parsed }) => parsed.messageId?.replace(/\.[\w-]{16}@/, '@'));
  expect(new Set(ids)).toEqual(new Set(sent.map(({ id }) => `<${id}.account@casewatch.test>`)));

  await replayEverything();
  expect(server.mails().length - ids.length, 'e-mails of a replay').toBe(0);
});

/** Has every group read its topics again from offset 0, and waits for what would be sent then. */
async function replayEverything(): Promise<void> {
  const members = [...product.victims, ...product.of('identity')];
  await Promise.all(members.map((member) => member.kill('SIGTERM')));
  await product.kafka?.rewind();
  expect((await product.kafka?.lag())?.behind).toBeGreaterThanOrEqual(KILL_ROUNDS * PEOPLE);
  await Promise.all(members.map((member) => member.restart()));
  expect(await product.settles(WITHIN_MS)).toBe(true);
  await mustCome('the end of what was queued again', async () => (await unsent()) === 0, WITHIN_MS);
}

type Person = ReturnType<typeof createPerson>;

/** A person at a browser without cookies that asks again when it gets no answer. */
function createPerson(name: string) {
  const email = `${name}@people.test`;
  const nextEmail = `${name}@new.test`;
  /** Each e-mail by subject and address: the least and the most requests for it. */
  const expected = new Map<string, readonly [least: number, most: number]>();
  let cookie = '';

  /**
   * Resolves to the first answer that is not a failure of the server. The request makes the e-mails `once`; sent again after
   * an answer that was lost, it may make `again`.
   */
  async function ask(
    path: string,
    body: unknown,
    { once = [], again = [] }: { once?: string | string[]; again?: string | string[] } = {},
  ): Promise<Response> {
    let tries = 0;
    let answer: Response | undefined;
    await mustCome(
      `an answer to ${path}`,
      async () => {
        tries += 1;
        answer = await fetch(`${product.urls.get('gateway')}/api/auth/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
          body: JSON.stringify(body),
        }).catch(() => undefined);
        return answer !== undefined && answer.status < 500;
      },
      WITHIN_MS,
    );
    if (!answer) throw new Error(`${path} was not answered`);
    for (const mail of [once].flat()) expectMails(mail, [1, 1]);
    for (const mail of [again].flat()) expectMails(mail, [0, tries - 1]);
    return answer;
  }
  function expectMails(mail: string, [least, most]: readonly [number, number]): void {
    const [leastBefore, mostBefore] = expected.get(mail) ?? [0, 0];
    expected.set(mail, [leastBefore + least, mostBefore + most]);
  }
  /** Sent again, a request may find that it has worked before: `again` is the status of that. */
  const expectDone = ({ status }: Response, again = 200) => expect([200, 201, 202, again]).toContain(status);

  return {
    email,
    nextEmail,
    expected,
    async signsUp() {
      const body = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' };
      const mails = {
        once: `Confirm your email address ${email}`,
        again: `You already have a Casewatch account ${email}`,
      };
      expectDone(await ask('signup', body, mails), 409);
    },
    async confirms(address: string) {
      const token = linkTo(address, CONFIRM_EMAIL_PAGE);
      const mails =
        address === nextEmail ? { once: `Your Casewatch email address was changed ${email}` } : {};
      const currentPassword = address === nextEmail ? NEW_PASSWORD : PASSWORD;
      expectDone(await ask('email/confirm', { token, currentPassword }, mails), 400);
    },
    async signsIn(password: string) {
      cookie = '';
      const mail = `New sign-in to your Casewatch account ${email}`;
      const answer = await ask('login', { email, password }, { once: mail, again: mail });
      expectDone(answer);
      const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
      cookie = cookies.join('; ');
    },
    async forgets() {
      const mail = `Reset your Casewatch password ${email}`;
      expectDone(await ask('password-reset', { email }, { once: mail, again: mail }));
    },
    async resets() {
      const body = { token: linkTo(email, RESET_PASSWORD_PAGE), newPassword: NEW_PASSWORD };
      expectDone(
        await ask('password-reset/confirm', body, { once: `Your Casewatch password was changed ${email}` }),
        400,
      );
    },
    async moves() {
      const mails = [
        `Confirm your new email address ${nextEmail}`,
        `Someone asked to change the email address of your Casewatch account ${email}`,
      ];
      const body = { email: nextEmail, currentPassword: NEW_PASSWORD };
      expectDone(await ask('email', body, { once: mails, again: mails }));
    },
  };
}

/** Kills the victim while all act at once, and waits for their e-mails. */
async function whileKilled(
  role: Victim,
  people: readonly Person[],
  act: (person: Person) => Promise<void>,
): Promise<void> {
  const acting = Promise.all(people.map(act));
  // A failure is thrown where they are awaited.
  acting.catch(() => undefined);
  const [victim] = product.of(role);
  await victim?.kill('SIGKILL');
  await victim?.restart();
  await acting;
  await mustCome('the last e-mails', async () => (await unsent()) === 0, WITHIN_MS);
}

/** What these addresses got, each by its subject and address; what came twice with one message id is one. */
function mailsTo(addresses: readonly string[]): string[] {
  const mails = addresses.flatMap((address) => server.to(address));
  return [...new Map(mails.map((mail) => [mail.parsed.messageId, mail])).values()].map(
    ({ parsed, to }) => `${parsed.subject} ${to}`,
  );
}

/** How many requests wait to be sent. */
async function unsent(): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM notifications.deliveries WHERE kind = 'account' AND state NOT IN ('sent', 'skipped'))::int
       + (SELECT count(*) FROM identity.account_mails AS mail WHERE NOT EXISTS (
           SELECT FROM notifications.deliveries AS log WHERE log.id = mail.id))::int AS count`,
  );
  return row?.count ?? 0;
}

/** The token of the newest link to this page that the address got. */
function linkTo(address: string, page: string): string {
  const texts = server.to(address).map(({ parsed }) => parsed.text ?? '');
  const token = texts.findLast((text) => text.includes(`${page}#`))?.match(/#([\w-]+)/)?.[1];
  if (token === undefined) throw new Error(`${address} has no link to ${page}`);
  return token;
}
