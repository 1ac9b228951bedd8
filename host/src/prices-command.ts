import {
  announcePriceChange,
  isMoved,
  type NoticeReport,
  type PriceMove,
  reportPriceNotices,
  requireNotice,
} from '@casewatch/billing/data/price-notices';
import { centsText } from '@casewatch/contracts/translations';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { z } from 'zod';
import { parseWords, UsageError } from './events-command/command.ts';
import { databaseUrlOf } from './events-command/open-schemas.ts';
import { runOperatorCommand } from './operator-command.ts';

const USAGE = `npm run prices -- announce <old price> <new price> <day> [--dry-run]
npm run prices -- status <old price> <new price>

announce notifies everyone whose subscription has the old price that the new one counts from the first renewal on or
after the day (2027-01-15): by e-mail, and in the app and by push message as they chose. Each is notified once,
however often it runs; those who have canceled are not. With --dry-run it only counts. The prices are named by their ids
at Stripe, and the new one is offered already. Nothing changes at Stripe.

status shows who is notified of which day, and the subscriptions whose users are not, or that everyone has the new price.

Where: the database of DATABASE_URL (as the owner of the schemas, or as billing), else the one that "npm start" or
"npm run start:distributed" runs now on DATA_DIR (.casewatch).

Exit code: 0 done, and of status that everyone is notified, or moved; 1 not so, or it could not be done; 2 the words were wrong.`;

interface Command extends PriceMove {
  /** Undefined: to show the status. */
  day: string | undefined;
  dryRun: boolean;
}

/** Runs `npm run prices -- …`, and `prices …` of the image. Sets the exit code. */
export function runPricesCommand(words: readonly string[]): Promise<void> {
  return runOperatorCommand(USAGE, async (say) => {
    const command = readPricesCommand(words);
    if (!command) {
      say(USAGE);
      return true;
    }
    const pool = createDatabasePool({
      url: databaseUrlOf(process.env, 'billing'),
      maximum: 1,
      logger: createLogger({ level: 'error', name: 'prices' }),
      service: 'billing',
    });
    try {
      const { day, dryRun } = command;
      const nowMs = systemClock.nowMs();
      if (day !== undefined) requireNotice(day, nowMs);
      if (day === undefined && (await isMoved(poolExecutor(pool), command))) {
        say(`No subscription has the price ${command.oldPrice} any more.`);
        return true;
      }
      const before = await reportPriceNotices(poolExecutor(pool), command);
      sayReport(command, before, say);
      if (day === undefined) {
        for (const id of before.waiting) say(`not notified: ${id}`);
        return before.waiting.length === 0;
      }
      const bus = createOutboxPublisher({ clock: systemClock });
      const now = dryRun
        ? before.waiting.length
        : await announcePriceChange(pool, bus, { ...command, day, nowMs });
      say(`${dryRun ? 'would be notified' : 'notified'} of ${day}: ${now}`);
      return true;
    } finally {
      await pool.end();
    }
  });
}

function sayReport(
  { oldPrice, newPrice }: PriceMove,
  { change, waiting, notified }: NoticeReport,
  say: (line: string) => void,
): void {
  const { oldCents, newCents, yearly } = change;
  const each = yearly ? 'a year' : 'a month';
  say(`${oldPrice} (${centsText(oldCents)} ${each}) to ${newPrice} (${centsText(newCents)} ${each})`);
  for (const [day, count] of notified) say(`notified before, of ${day}: ${count}`);
  say(`not notified yet: ${waiting.length}`);
}

/** Returns undefined when help was asked for. @throws UsageError */
function readPricesCommand(words: readonly string[]): Command | undefined {
  const { values, positionals } = parseWords(words, {
    'dry-run': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return undefined;
  const [name, oldPrice, newPrice, day, ...rest] = positionals;
  const dryRun = values['dry-run'] ?? false;
  if (name !== 'announce' && name !== 'status')
    throw new UsageError(name ? `What is ${name}?` : 'Say what to do.');
  if (!oldPrice || !newPrice || rest.length > 0) throw new UsageError(`${name} needs the ids of two prices.`);
  if (name === 'status') {
    if (day !== undefined || dryRun) throw new UsageError('status needs the ids of two prices alone.');
  } else if (!z.iso.date().safeParse(day).success)
    throw new UsageError('announce needs a day, as 2027-01-15.');
  return { oldPrice, newPrice, day, dryRun };
}
