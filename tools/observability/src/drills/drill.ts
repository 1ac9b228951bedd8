import { alertExpressions } from '../alert-expressions.ts';
import { type DrilledProduct, startDrilledProduct } from './drilled-product.ts';
import { DRILLS } from './drills.ts';
import { runDrill } from './run-drill.ts';

/**
 * `npm run drill -- <alert> …`, or all of them without a word: starts the distributed shape once, and for each alert breaks it,
 * waits until the alert's expression is true and no other is (its `for` is promtool's to test), repairs it as the runbook says and
 * waits until it is false. The product is started anew after a drill that failed.
 */

const say = (line: string) => process.stdout.write(`${line}\n`);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !DRILLS.some(({ alert }) => alert === name));
if (unknown.length > 0) {
  console.error(
    `There is no drill of ${unknown.join(', ')}; known: ${DRILLS.map(({ alert }) => alert).join(', ')}.`,
  );
  process.exit(2);
}
const drills = DRILLS.filter(({ alert }) => wanted.length === 0 || wanted.includes(alert));
const alerts = alertExpressions('distributed');
const failed: string[] = [];
let drilled: DrilledProduct | undefined;
for (const drill of drills) {
  say(`\n== ${drill.alert}`);
  try {
    if (!drilled) say('  starting the product …');
    drilled ??= await startDrilledProduct();
    await runDrill(drill, { alerts, drilled, say });
  } catch (error) {
    failed.push(drill.alert);
    say(`  FAILED: ${error instanceof Error ? error.message : error}`);
    await drilled?.stop();
    drilled = undefined;
  }
}
await drilled?.stop();
for (const alert of failed) say(`\nfailed; again: npm run drill -- ${alert}`);
say(`\n${drills.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
