import { blindnessAlerts, type Layout, PART_ALERTS } from './mixin/alerts.ts';
import { burnRateAlertsOf, OBJECTIVES, recordingsOf } from './mixin/objectives.ts';
import { inRelease } from './mixin/series.ts';

export interface AlertExpression {
  readonly alert: string;
  /** Over scraped series alone: a recorded series is replaced by the expression that records it. */
  readonly expr: string;
  readonly forSeconds: number;
  readonly runbook: string;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** Returns every alert of the mixin. */
export function alertExpressions(layout: Layout): readonly AlertExpression[] {
  const burnRates = OBJECTIVES.flatMap((objective) => {
    const recordings = recordingsOf(objective).map(({ record, expr, labels }) => ({
      recorded: inRelease(record, `objective="${labels.objective}"`),
      expr: `(${expr})`,
    }));
    return burnRateAlertsOf(objective).map((alert) => ({
      ...alert,
      expr: recordings.reduce((text, { recorded, expr }) => text.replaceAll(recorded, expr), alert.expr),
    }));
  });
  return [...burnRates, ...PART_ALERTS, ...blindnessAlerts(layout)].map((alert) => ({
    alert: alert.alert,
    expr: alert.expr,
    forSeconds: secondsIn(alert.for),
    runbook: `docs/runbooks/${alert.runbook}`,
  }));
}

function secondsIn(duration: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(duration) ?? [];
  const seconds = SECONDS[unit];
  if (seconds === undefined) throw new Error(`${duration} is no duration of an alert`);
  return Number(count) * seconds;
}
