import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compareProxies } from './peers/compare-proxies.ts';
import { compareTrackers } from './peers/compare-trackers.ts';

/**
 * `npm run bench:peers`: programs that do what a part of the product does, beside that part, in turn, in one run. `--only=tracker`
 * plays one part; `ROUNDS` (3). Ends with 1 if a goal is missed. Linux only: processor time and memory are read from /proc.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const PARTS: Record<string, (rounds: number) => Promise<boolean>> = {
  tracker: compareTrackers,
  gateway: compareProxies,
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = values.only?.split(',') ?? Object.keys(PARTS);
for (const name of chosen) {
  const part = PARTS[name];
  if (!part) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}`);
  console.log(
    `\n${name}: load of the machine ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  );
  if (!(await part(ROUNDS))) process.exitCode = 1;
}
