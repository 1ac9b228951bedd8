import { setTimeout as pause } from 'node:timers/promises';
import type { AlertExpression } from '../alert-expressions.ts';
import { createMetricsHistory } from '../metrics-history.ts';
import type { DrilledProduct } from './drilled-product.ts';

/** Breaks one thing, and repairs it as the alert's runbook says. */
export interface Drill {
  alert: string;
  breaks: string;
  /** Before the first scrape: what must have a first value by then. */
  prepare?(of: DrilledProduct): Promise<void>;
  break(of: DrilledProduct): Promise<void>;
  /** Before each scrape until the alert is true. */
  duringFailure?(of: DrilledProduct): Promise<void>;
  /** How long the fault has to last before the alert can be true; passes in the history of the metrics alone. */
  lastsSeconds?: number;
  /** The fix of the runbook. */
  fixes: string;
  fix(of: DrilledProduct): Promise<void>;
  /** How far the alert looks back: passes in the history after the fix. */
  looksBackSeconds?: number;
  /** Other alerts that are rightly true of the same fault, each with the reason. */
  also?: Readonly<Record<string, string>>;
}

/** In the history; in real time they follow each other as quickly as they are judged, a second apart at least. */
const SCRAPE_SECONDS = 5;
const SCRAPE_EVERY_MS = 1_000;
const TRUE_WITHIN_SECONDS = 90;
const FALSE_WITHIN_SECONDS = 120;

export interface DrillOptions {
  alerts: readonly AlertExpression[];
  drilled: DrilledProduct;
  say(line: string): void;
}

/**
 * Sees no alert true of the healthy product, the drill's alert of the broken one, and none again after the fix.
 * Right after a process has started its gauges may be missing, which the alerts' `for` passes over: so does this.
 * @throws when one of it does not come true in time, or not without an alert that is not among the drill's exceptions
 */
export async function runDrill(drill: Drill, { alerts, drilled, say }: DrillOptions): Promise<void> {
  const history = createMetricsHistory({ targets: drilled.targets, scrapeSeconds: SCRAPE_SECONDS });
  const allowed = new Set([drill.alert, ...Object.keys(drill.also ?? {})]);

  await drill.prepare?.(drilled);
  await comesTrue('no alert is true of the healthy product', FALSE_WITHIN_SECONDS, ({ size }) => size === 0);
  say(`  ${drill.breaks} …`);
  await drill.break(drilled);
  await history.scrape();
  if (drill.lastsSeconds) history.hold(drill.lastsSeconds);
  const isAlone = (names: ReadonlySet<string>) =>
    names.has(drill.alert) && [...names].every((name) => allowed.has(name));
  await comesTrue('the alert is true', TRUE_WITHIN_SECONDS, isAlone, drill.duringFailure);
  say(`  ${alerts.find(({ alert }) => alert === drill.alert)?.runbook}: ${drill.fixes} …`);
  await drill.fix(drilled);
  await history.scrape();
  if (drill.looksBackSeconds) history.hold(drill.looksBackSeconds + 60);
  await comesTrue('no alert is true any more', FALSE_WITHIN_SECONDS, ({ size }) => size === 0);

  async function comesTrue(
    what: string,
    seconds: number,
    isIt: (names: ReadonlySet<string>) => boolean,
    before?: Drill['duringFailure'],
  ): Promise<void> {
    const startedMs = performance.now();
    for (;;) {
      const nextMs = performance.now() + SCRAPE_EVERY_MS;
      await before?.(drilled);
      await history.scrape();
      const [names = new Set<string>()] = await history.trueAt(alerts);
      const tookSeconds = (performance.now() - startedMs) / 1_000;
      if (isIt(names)) {
        say(`  ${what} (${tookSeconds.toFixed(0)} s)${named(names)}`);
        return;
      }
      if (tookSeconds > seconds)
        throw new Error(`not within ${seconds} s: ${what}; true: ${[...names].join(', ') || 'none'}`);
      await pause(Math.max(0, nextMs - performance.now()));
    }
  }

  function named(names: ReadonlySet<string>): string {
    const others = [...names].filter((name) => name !== drill.alert);
    return others.length > 0 ? `, and ${others.join(', ')}` : '';
  }
}
