import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AlertExpression } from './alert-expressions.ts';
import { promtool } from './promtool.ts';

const SCRAPE_WITHIN_MS = 4_000;
/** Between the scrapes of a time that is held. */
const HELD_STEP_SECONDS = 60;

export interface Target {
  /** The label `role` that the chart's ServiceMonitor gives it. */
  role: string;
  /** Answers `/metrics`. */
  url: string;
}

export interface MetricsHistoryOptions {
  targets: readonly Target[];
  /** What passes in the history from one scrape to the next; at most a minute, and a part of it. */
  scrapeSeconds: number;
}

/**
 * Records what the targets' `/metrics` answered at each scrape, with the labels that the chart's ServiceMonitor adds. promtool
 * evaluates alerts over it, so that they are judged by Prometheus' own rules without a server.
 */
export function createMetricsHistory({ targets, scrapeSeconds }: MetricsHistoryOptions) {
  /** By series, its value at each scrape; undefined: missing then. */
  const values = new Map<string, (string | undefined)[]>();
  /** Of each scrape: the number of `scrapeSeconds` after the first one. */
  const steps: number[] = [];

  async function scrapeTarget({ role, url }: Target): Promise<void> {
    const labels = `namespace="casewatch",release="casewatch",role="${role}"`;
    const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_WITHIN_MS) })
      .then((answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined);
    note(`up{${labels}}`, text === undefined ? '0' : '1');
    for (const line of text?.split('\n') ?? []) {
      const [, name, exposed = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      // As Prometheus 3 stores the bounds of buckets.
      const own = exposed.replace(/\ble="(\d+)"/, 'le="$1.0"');
      if (name && value) note(`${name}{${labels}${own && `,${own}`}}`, value);
    }
  }

  function note(series: string, value: string): void {
    const known = values.get(series) ?? [];
    known[steps.length] = value;
    values.set(series, known);
  }

  /** In promtool's notation: `_` is no scrape, `stale` a series that a scrape did not find. */
  function written(known: readonly (string | undefined)[]): string {
    return steps
      .map((step, index) => {
        const skipped = step - (steps[index - 1] ?? -1) - 1;
        return `${skipped > 0 ? `_x${skipped} ` : ''}${known[index] ?? 'stale'}`;
      })
      .join(' ');
  }

  return {
    async scrape(): Promise<void> {
      await Promise.all(targets.map(scrapeTarget));
      steps.push((steps.at(-1) ?? -1) + 1);
    },

    /** Lets so much time pass in the history in which nothing happens: every series keeps its value. */
    hold(seconds: number): void {
      const last = steps.length - 1;
      for (let held = 0; held < seconds; held += HELD_STEP_SECONDS) {
        for (const known of values.values()) known[steps.length] = known[last];
        steps.push((steps.at(-1) ?? 0) + HELD_STEP_SECONDS / scrapeSeconds);
      }
    },

    /** Names of the alerts whose expressions are true, whatever their `for`, at each of the newest scrapes. @throws when promtool cannot evaluate one */
    async trueAt(alerts: readonly AlertExpression[], scrapes = 1): Promise<ReadonlySet<string>[]> {
      const named = new Set(alerts.flatMap(({ expr }) => expr.match(/\w+(?=\{)/g) ?? []));
      const input = [...values].filter(([series]) => named.has(series.slice(0, series.indexOf('{'))));
      const times = steps.slice(-scrapes).map((step) => step * scrapeSeconds);
      const expr = alerts
        .map(({ alert, expr }) => `label_replace(count(${expr}), "alert", "${alert}", "", "")`)
        .join(' or ');
      const test = {
        interval: `${scrapeSeconds}s`,
        input_series: input.map(([series, known]) => ({ series, values: written(known) })),
        promql_expr_test: times.map((seconds) => ({ expr, eval_time: `${seconds}s`, exp_samples: [] })),
      };
      const output = await judge({ rule_files: [], evaluation_interval: `${scrapeSeconds}s`, tests: [test] });
      const found = output.split(/^ *expr: /m).slice(1);
      const byTime = new Map(found.map((text) => [secondsOf(/", time: (\w+),/.exec(text)?.[1]), text]));
      return times.map(
        (time) =>
          new Set(
            [...(byTime.get(time) ?? '').matchAll(/\{alert="(\w+)"\}/g)].map(([, alert = '']) => alert),
          ),
      );
    },
  };
}

/** What promtool writes of tests that expect nothing: what there is instead. @throws when it cannot run them */
async function judge(tests: unknown): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-alerts-'));
  try {
    writeFileSync(path.join(folder, 'test.yaml'), JSON.stringify(tests));
    const { ok, output } = await promtool(['test', 'rules', 'test.yaml'], folder);
    if (!ok && !output.includes('got:')) throw new Error(output);
    return output;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a duration as Prometheus writes it: `1h5m10s`. */
function secondsOf(duration = ''): number {
  const units: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  return [...duration.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );
}
