import type { RehearsalRecord, RehearsedDay } from './rehearsal-record.ts';
import { areConsecutive, easternTime } from './sandbox-days.ts';

const MIX =
  'Of each 10, 7 ask for receipt numbers that the sandbox knows (200), 2 for a well-formed one that it does not (404), and 1 for one that is too short (422).';

/** Returns whether every day is over, and had both a 200 and a refused receipt number. */
export function isFulfilled({ plan, days }: RehearsalRecord): boolean {
  return days.every(
    ({ next, calls }) => next === plan.callsPerDay && calls['200'] && (calls['404'] || calls['422']),
  );
}

/** Returns what was done, as Markdown to be handed in. */
export function rehearsalReport(record: RehearsalRecord): string {
  const { plan, days } = record;
  const outcomes = [...new Set(days.flatMap(({ calls }) => Object.keys(calls)))].sort();
  const rows = days.map((day) => [
    day.date,
    String(Object.values(day.calls).reduce((sum, count) => sum + count, 0)),
    ...outcomes.map((outcome) => String(day.calls[outcome] ?? 0)),
    timeOf(day.firstMs),
    timeOf(day.lastMs),
    leftOutOf(day, plan.callsPerDay),
  ]);
  const head = ['Day', 'Calls', ...outcomes, 'First', 'Last', 'Left out'];
  const table = [head, head.map(() => '---'), ...rows];
  const isOver = days.every(({ next }) => next === plan.callsPerDay);
  return `# Traffic at the sandbox of the case status API

- Address: ${plan.baseUrl}
- \`demo_id\`: ${plan.demoId || 'none'}
- Plan: ${daysText(days)}; ${plan.callsPerDay} calls a day, spread evenly over 7:00 to 20:00 Eastern time. ${MIX}
- ${isOver ? 'Finished' : 'Not finished'}: ${isFulfilled(record) ? 'each day has' : 'not each day has'} both 200 and 4xx.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Days and times are Eastern time. Token requests are not counted. What was left out was not made up for.
Where an answer is not recorded, the process ended while the call was made.`;
}

/** Returns the days of the plan in words, and why they are not consecutive where they are not. */
export function daysText(days: readonly Pick<RehearsedDay, 'date'>[]): string {
  const dates = days.map(({ date }) => date);
  const closed = 'not consecutive: the sandbox is closed on Saturdays and Sundays';
  return `${dates.join(', ')} (${areConsecutive(dates) ? 'consecutive' : closed})`;
}

function leftOutOf(day: RehearsedDay, callsPerDay: number): string {
  const reasons = Object.entries(day.leftOut).map(([reason, count]) => `${count} ${reason}`);
  const toCome = callsPerDay - day.next;
  return [...reasons, ...(toCome > 0 ? [`${toCome} to come`] : [])].join(', ') || 'none';
}

const timeOf = (ms: number | undefined) => (ms === undefined ? '' : easternTime(ms).slice(11));
