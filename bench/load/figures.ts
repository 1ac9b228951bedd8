import { z } from 'zod';

/** What one kind of request was answered. */
export interface Figures {
  readonly name: string;
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly failedShare: number;
  /** Visitors that k6 could not send: all that it may have were still waiting for an answer. */
  readonly dropped: number;
}

const metric = z.object({
  values: z.record(z.string(), z.number()),
  thresholds: z.record(z.string(), z.object({ ok: z.boolean() })).optional(),
});
const summary = z.object({
  metrics: z.record(z.string(), metric),
  state: z.object({ testRunDurationMs: z.number() }),
});
export type K6Summary = z.output<typeof summary>;

/** Parses what k6 writes at the end of a run. */
export const parseSummary = (text: string): K6Summary => summary.parse(JSON.parse(text));

/** Figures by the tag that the scenario sets (`kind`), in the order of their names; without a tag those of all requests. */
export function figuresOf({ metrics, state }: K6Summary, tag?: string): Figures[] {
  const seconds = state.testRunDurationMs / 1_000;
  const suffixes = tag === undefined ? [''] : suffixesOf(metrics, tag);
  return suffixes.flatMap((suffix) => {
    const value = (name: string, key: string) => metrics[name + suffix]?.values[key] ?? 0;
    const requests = value('http_reqs', 'count');
    if (requests === 0) return [];
    return {
      name: suffix === '' ? 'all' : suffix.slice(suffix.indexOf(':') + 1, -1),
      requests,
      perSecond: requests / seconds,
      p50Ms: value('http_req_duration', 'med'),
      p95Ms: value('http_req_duration', 'p(95)'),
      p99Ms: value('http_req_duration', 'p(99)'),
      failedShare: value('http_req_failed', 'rate'),
      dropped: value('dropped_iterations', 'count'),
    };
  });
}

/** Returns the thresholds that did not hold: `metric: threshold`. */
export function brokenThresholds({ metrics }: K6Summary): string[] {
  return Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds).flatMap(([threshold, { ok }]) => (ok ? [] : [`${name}: ${threshold}`])),
  );
}

function suffixesOf(metrics: K6Summary['metrics'], tag: string): string[] {
  return Object.keys(metrics)
    .filter((name) => name.startsWith(`http_reqs{${tag}:`))
    .map((name) => name.slice('http_reqs'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
