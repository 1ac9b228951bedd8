import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { type AlertExpression, alertExpressions } from '../../tools/observability/src/alert-expressions.ts';
import { createMetricsHistory, type Target } from '../../tools/observability/src/metrics-history.ts';
import type { Layout } from '../../tools/observability/src/mixin/alerts.ts';

/** An alert whose expression was true at a scrape at least. */
export interface TrueAlert {
  readonly alert: string;
  /** Its longest time without a break. */
  readonly longestSeconds: number;
  /** It was true for as long as its `for` asks. */
  readonly fires: boolean;
}

/** As in production: the chart's ServiceMonitor has Prometheus' usual interval. */
const SCRAPE_SECONDS = 15;

/** Scrapes the targets until it is stopped, and then judges every alert at each scrape. */
export function watchAlerts(targets: readonly Target[], layout: Layout) {
  const history = createMetricsHistory({ targets, scrapeSeconds: SCRAPE_SECONDS });
  const stopping = new AbortController();
  let scrapes = 0;
  const scraping = (async () => {
    while (!stopping.signal.aborted) {
      await history.scrape();
      scrapes += 1;
      await systemClock.sleep(SCRAPE_SECONDS * 1_000, stopping.signal).catch(() => undefined);
    }
  })();
  return async function stop(): Promise<readonly TrueAlert[]> {
    stopping.abort();
    await scraping;
    const alerts = alertExpressions(layout);
    return trueAlerts(alerts, await history.trueAt(alerts, scrapes), SCRAPE_SECONDS);
  };
}

/** Returns what was true at any scrape; `scrapes` are the names that were true at each. */
export function trueAlerts(
  alerts: readonly Pick<AlertExpression, 'alert' | 'forSeconds'>[],
  scrapes: readonly ReadonlySet<string>[],
  scrapeSeconds: number,
): TrueAlert[] {
  return alerts.flatMap(({ alert, forSeconds }) => {
    let since = 0;
    let longest = 0;
    for (const names of scrapes) {
      since = names.has(alert) ? since + 1 : 0;
      longest = Math.max(longest, since);
    }
    const longestSeconds = (longest - 1) * scrapeSeconds;
    return longest === 0 ? [] : [{ alert, longestSeconds, fires: longestSeconds >= forSeconds }];
  });
}
