import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { commandsOf } from '../page-commands.ts';

const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const USER = { email: 'pro@demo.test', password: 'demo-demo-demo' };
/** Requests of `visit` that are in flight at a time. */
const AT_ONCE = 16;

/** What drills do to a product that runs, wherever it does. */
export interface DrillActions {
  /** Users who watch moved cases. */
  readonly watchers: readonly [string, string];
  /** As the owner of the schemas. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs the statement of a runbook that contains `part`. What it restricts to older transactions is about all of them here. */
  runbookSql(page: string, part: string): Promise<void>;
  agencyControl(path: string, body: unknown): Promise<void>;
  /** The given number of requests of a user; resolves when all are answered, in whatever way. */
  visit(path: string, count?: number): Promise<void>;
  /** A user's lookups of cases that nothing stored can answer. */
  lookUp(count?: number): Promise<void>;
  /** The given number of watched cases that have moved since they were last checked, each with two watchers, due for the given time. */
  watchMovedCases(count: number, dueForSeconds?: number): Promise<void>;
  /** Resolves when every watcher of moved cases is notified. */
  allNotified(): Promise<void>;
}

/** Signs in a demo account at the gateway `url`, and makes accounts that watch. `agencyUrl` is the control of its simulator. */
export async function openDrillActions(of: {
  url: string;
  agencyUrl: string;
  pool: pg.Pool;
}): Promise<DrillActions> {
  const { url, agencyUrl, pool } = of;
  const cookie = await signIn(url);
  const watchers = [randomUUID(), randomUUID()] as const;
  await pool.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now(), now(), 'key' FROM unnest($1::uuid[]) AS id`,
    [watchers],
  );
  let receipts = 0;
  const nextReceipt = () => `WAC${String(2 * ++receipts).padStart(10, '0')}`;

  async function sql<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return (await pool.query<Row>(text, [...values])).rows;
  }

  async function visitEach(paths: readonly string[]): Promise<void> {
    const queue = [...paths];
    const visitor = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const answer = await fetch(url + next, { headers: { cookie } });
        await answer.body?.cancel();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  }

  return {
    watchers,
    sql,
    async runbookSql(page, part) {
      const command = commandsOf(`runbooks/${page}`).find(({ text }) => text.includes(part));
      if (!command) throw new Error(`docs/runbooks/${page} has no command with ${part}`);
      await sql(command.text.replace("interval '1 minute'", "interval '0'"));
    },
    async agencyControl(path, body) {
      const answer = await fetch(agencyUrl + path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`the agency simulator answered ${answer.status}`);
    },
    visit: (path, count = 1) => visitEach(Array.from({ length: count }, () => path)),
    lookUp: (count = 1) =>
      visitEach(Array.from({ length: count }, () => `/api/case-status/${nextReceipt()}`)),
    async watchMovedCases(count, dueForSeconds = 0) {
      const numbers = Array.from({ length: count }, nextReceipt);
      await sql(
        `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, version, began, seen_call, seen_status)
         SELECT user_id, number, 1, 1, 1, 1, 'Case Is Before The Drill'
         FROM unnest($1::uuid[]) AS user_id, unnest($2::text[]) AS number`,
        [watchers, numbers],
      );
      await sql(
        `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at, last_status, status_call)
         SELECT number, 1, now() - $2 * interval '1 second', 'Case Is Before The Drill', 1
         FROM unnest($1::text[]) AS number`,
        [numbers, dueForSeconds],
      );
    },
    allNotified: () =>
      until('every watcher is notified', async () => {
        const [row] = await sql<{ missing: number }>(
          `SELECT (SELECT count(*) FROM monitoring.watchers WHERE user_id = ANY ($1))::int
             - (SELECT count(*) FROM notifications.notifications WHERE user_id = ANY ($1))::int AS missing`,
          [watchers],
        );
        return row?.missing === 0;
      }),
  };
}

/** Looks again and again. @throws when it does not come true within half a minute */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`not within 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: UNSAFE,
    body: JSON.stringify(USER),
  });
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
