import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promtool } from '../../tools/observability/src/promtool.ts';

/** As Prometheus scrapes in production, only more often. */
export const SCRAPE_SECONDS = 5;
const SCRAPE_WITHIN_MS = 4_000;

export interface Target {
  role: string;
  url: string;
}

/**
 * What the targets' `/metrics` answered at each scrape, with the labels that the chart's ServiceMonitor adds. promtool evaluates
 * expressions over it, so that an alert is judged by Prometheus' own rules without a server.
 */
export function createMetricsHistory(targets: readonly Target[]) {
  /** By series, its value at each scrape; undefined: missing then. */
  const values = new Map<string, (string | undefined)[]>();
  let scrapes = 0;

  async function scrapeTarget({ role, url }: Target): Promise<void> {
    const labels = `namespace="casewatch",release="casewatch",role="${role}"`;
    const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_WITHIN_MS) })
      .then((answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined);
    note(`up{${labels}}`, text === undefined ? '0' : '1');
    for (const line of text?.split('\n') ?? []) {
      const [, name, own = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name && value) note(`${name}{${labels}${own && `,${own}`}}`, value);
    }
  }

  function note(series: string, value: string): void {
    const known = values.get(series) ?? [];
    known[scrapes] = value;
    values.set(series, known);
  }

  return {
    async scrape(): Promise<void> {
      await Promise.all(targets.map(scrapeTarget));
      scrapes += 1;
    },

    /** Whether the expression has a result at the last scrape. @throws when promtool cannot evaluate it */
    async holds(expression: string): Promise<boolean> {
      const named = new Set(expression.match(/\w+(?=\{)/g));
      const input = [...values].filter(([series]) => named.has(series.slice(0, series.indexOf('{'))));
      const test = {
        interval: `${SCRAPE_SECONDS}s`,
        input_series: input.map(([series, at]) => ({
          series,
          values: Array.from({ length: scrapes }, (_, index) => at[index] ?? 'stale').join(' '),
        })),
        promql_expr_test: [
          { expr: expression, eval_time: `${(scrapes - 1) * SCRAPE_SECONDS}s`, exp_samples: [] },
        ],
      };
      const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-drill-'));
      try {
        const file = { rule_files: [], evaluation_interval: `${SCRAPE_SECONDS}s`, tests: [test] };
        writeFileSync(path.join(folder, 'test.yaml'), JSON.stringify(file));
        const { ok, said } = await promtool(['test', 'rules', 'test.yaml'], folder);
        if (!ok && !said.includes('got:')) throw new Error(said);
        return !ok;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
