import { createAgencyCalls } from '@casewatch/cases/caller/agency-calls';
import { readAgencyKeys } from '@casewatch/cases/caller/agency-keys';
import { settings } from '@casewatch/cases/config';
import { parseWords, UsageError } from '@casewatch/host/events-command/command';
import { runOperatorCommand } from '@casewatch/host/operator-command';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { isLoopback } from '@casewatch/service-kit/settings/loopback';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { openRecord } from './rehearsal-record.ts';
import { daysText, isFulfilled, rehearsalReport } from './rehearsal-report.ts';
import { MIX_SIZE, rehearse } from './rehearse.ts';
import { nextOpenDays } from './sandbox-days.ts';

const SANDBOX = 'https://api-int.uscis.gov';
const MAX_DAYS = 31;
/** What the sandbox allows a day. */
const SANDBOX_CALLS_PER_DAY = 1_000;

const USAGE = `npm run agency:rehearse -- --days=5 [--calls-per-day=900] [--record=agency-rehearsal.json]

Makes the traffic that the agency asks for before production access, at its sandbox: on each of these days, 1 to ${MAX_DAYS},
calls with a 200 and with a 4xx, spread evenly over 7:00 to 20:00 Eastern time, one at a time. The sandbox is closed on
Saturdays and Sundays: they have no calls and do not count, so that only a rehearsal that begins on a Monday has five
consecutive days. Before 13:30 Eastern time it begins today, with the calls that are left of this day; later, on the next
open day.

It runs until the last day is over. What was done is in the record: after Ctrl-C or a restart, the same command continues
there. It makes no call twice and makes up for none that was missed. After a 429 it pauses for 5 minutes, after a 503 for
10. At the end, and after Ctrl-C, it prints a report as Markdown; for another rehearsal name another record.

The calls share the sandbox's quota (${SANDBOX_CALLS_PER_DAY} a day from midnight GMT) with everything that has the same keys: stop a Casewatch that
uses them, or lower its AGENCY_CALLS_PER_DAY and --calls-per-day so that both fit.

Settings, from the environment or .env: AGENCY_BASE_URL (the sandbox, or a simulator on this machine), AGENCY_CLIENT_ID,
AGENCY_CLIENT_SECRET, their AGENCY_NEXT_… as in operation, AGENCY_DEMO_ID, AGENCY_HEADERS, AGENCY_CALLS_PER_DAY, AGENCY_TIMEOUT_MS.

Exit code: 0 each day has both kinds of answers; 1 not so, or not finished; 2 the words were wrong.`;

/** Runs `npm run agency:rehearse -- …`. Progress goes to stderr, the report to stdout. Sets the exit code. */
export function runRehearseCommand(words: readonly string[]): Promise<void> {
  return runOperatorCommand(USAGE, async (say) => {
    const wanted = readWords(words);
    if (!wanted) {
      say(USAGE);
      return true;
    }
    const access = readSettings(settings, process.env);
    const { AGENCY_BASE_URL: baseUrl, AGENCY_DEMO_ID: demoId, AGENCY_TIMEOUT_MS: timeoutMs } = access;
    requireSandbox(baseUrl);
    const keys = readAgencyKeys(access, systemClock.nowMs());
    const { days, callsPerDay, path } = wanted;
    const most = Math.min(SANDBOX_CALLS_PER_DAY, access.AGENCY_CALLS_PER_DAY);
    if (callsPerDay > most)
      throw new UsageError(
        `--calls-per-day is at most ${most}, by the sandbox's quota and AGENCY_CALLS_PER_DAY.`,
      );
    const plan = { baseUrl, demoId, days, callsPerDay };
    const file = openRecord(path, plan, () => nextOpenDays(days, systemClock.nowMs()));
    console.error(`${path}: ${daysText(file.record.days)}; ${callsPerDay} calls a day`);
    if (demoId === '') console.error('AGENCY_DEMO_ID is not set: the calls carry no demo_id.');
    const calls = createAgencyCalls({
      baseUrl,
      demoId,
      timeoutMs,
      keys,
      headers: access.AGENCY_HEADERS ?? {},
      linkHosts: access.AGENCY_LINK_HOSTS,
      clock: systemClock,
      telemetry: noTelemetry,
      logger: createLogger({ level: 'warn', name: 'agency-rehearsal', destination: process.stderr }),
    });
    const stopping = new AbortController();
    // More than once: npm passes Ctrl-C on to a process that has had it from the terminal.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
    try {
      await rehearse(file, { calls, clock: systemClock, timeoutMs, signal: stopping.signal });
    } finally {
      await calls.stop();
    }
    say(rehearsalReport(file.record));
    return isFulfilled(file.record);
  });
}

/** Returns undefined when help was asked for. @throws UsageError */
function readWords(words: readonly string[]) {
  const { values, positionals } = parseWords(words, {
    days: { type: 'string' },
    'calls-per-day': { type: 'string', default: '900' },
    record: { type: 'string', default: 'agency-rehearsal.json' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return undefined;
  if (positionals.length > 0) throw new UsageError(`What is ${positionals.join(' ')}?`);
  const [days, callsPerDay] = [Number(values.days), Number(values['calls-per-day'])];
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new UsageError(`--days is a whole number, 1 to ${MAX_DAYS}.`);
  if (!Number.isInteger(callsPerDay) || callsPerDay < MIX_SIZE)
    throw new UsageError(`--calls-per-day is a whole number, ${MIX_SIZE} or more.`);
  return { days, callsPerDay, path: values.record };
}

function requireSandbox(baseUrl: string): void {
  const { origin, hostname } = new URL(baseUrl);
  if (origin !== SANDBOX && !isLoopback(hostname))
    throw new Error(
      `AGENCY_BASE_URL is neither ${SANDBOX} nor on this machine: rehearse at the sandbox only.`,
    );
}
