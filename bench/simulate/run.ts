import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../src/child.ts';
import { type Figures, simulate } from './simulate.ts';

/**
 * `npm run bench:simulate [-- --watches=10000,1000000 --seed=1 --out=folder]`: the product's scheduler, fair order and day quota on a
 * simulated clock, for installs that no machine here could hold. Prints a table; the same seed prints the same one. JSON
 * goes to `test-results/bench/`, a file per number of watches. 10 million watches take 350 MB and minutes.
 */
const { values } = parseArgs({
  options: {
    watches: { type: 'string', default: '10000,1000000,10000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: path.join(root, 'test-results/bench') },
  },
});
const CALLS_PER_SECOND = [5, 10];
const CALLS_PER_DAY = [1_000, 400_000, Number.MAX_SAFE_INTEGER];
const DAYS = { steady: 6, outage: 2, recovery: 6 };
// Refusals are errors here, hundreds of thousands of them.
Error.stackTraceLimit = 0;

console.log(
  '| watches | calls/s, a day | needed / left | age in days, p50 / p95: daily, weekly, monthly | late before, after 48 h | recovered after | checks a day | got: free, pro, script |',
);
console.log('|---|---|---|---|---|---|---|---|');
mkdirSync(values.out, { recursive: true });
for (const watches of values.watches.split(',').map(Number)) {
  const figures: Figures[] = [];
  for (const callsPerDay of CALLS_PER_DAY) {
    for (const callsPerSecond of CALLS_PER_SECOND) {
      const seed = Number(values.seed);
      const one = await simulate({ watches, callsPerSecond, callsPerDay, days: DAYS, seed });
      figures.push(one);
      console.log(row(one));
    }
  }
  const command = `npm run bench:simulate -- --watches=${watches} --seed=${values.seed}`;
  const file = path.join(values.out, `simulate-${watches}.json`);
  writeFileSync(file, `${JSON.stringify({ command, figures }, undefined, 1)}\n`);
}

function row(one: Figures): string {
  const { watches, callsPerSecond, callsPerDay, demand, ages, people, checksPerDay } = one;
  const aDay = callsPerDay === Number.MAX_SAFE_INTEGER ? 'unlimited' : callsPerDay.toLocaleString('en-US');
  const recovered =
    one.recoveredAfterDays === null ? `over ${DAYS.recovery} d` : `${one.recoveredAfterDays} d`;
  return `| ${[
    watches.toLocaleString('en-US'),
    `${callsPerSecond}, ${aDay}`,
    demand.toFixed(demand < 0.1 ? 3 : 2),
    ages.map(({ p50, p95 }) => `${days(p50)} / ${days(p95)}`).join(', '),
    `${one.lateBefore.toLocaleString('en-US')}, ${one.lateAfterOutage.toLocaleString('en-US')}`,
    recovered,
    Math.round(checksPerDay).toLocaleString('en-US'),
    people.map(({ asked, called }) => `${((100 * called) / Math.max(1, asked)).toFixed(1)} %`).join(', '),
  ].join(' | ')} |`;
}

function days(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
