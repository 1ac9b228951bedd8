import { stringify } from 'yaml';
import { blindnessAlerts, type Layout, PART_ALERTS } from './alerts.ts';
import { burnRateAlertsOf, OBJECTIVES, recordingsOf } from './objectives.ts';
import { type Alert, NAMESPACE, RELEASE } from './series.ts';
import { STORE_ALERTS } from './store-alerts.ts';

const HEADER = `# Made by \`npm run docs\` from tools/observability/src/mixin; edit it there. The rules are about one release; the chart puts its
# own namespace, release and the address of the runbooks in the place of these.
`;
/** On every rule: alerts are routed by them, and recorded series are selected by them. */
const LABELS = { namespace: NAMESPACE, release: RELEASE };

/** Returns recording rules and alerts as Prometheus reads them. */
export function rulesFile(layout: Layout): string {
  const groups = [
    ...OBJECTIVES.map((objective) => ({
      name: `casewatch-${objective.name}`,
      rules: [
        ...recordingsOf(objective).map((rule) => ({ ...rule, labels: { ...LABELS, ...rule.labels } })),
        ...burnRateAlertsOf(objective).map(alertRule),
      ],
    })),
    { name: 'casewatch-parts', rules: PART_ALERTS.map(alertRule) },
    { name: 'casewatch-metrics', rules: blindnessAlerts(layout).map(alertRule) },
  ];
  return written(groups);
}

/** Returns the alerts on data stores in the cluster, which the chart adds where its values say where these are. */
export const storeRulesFile = (): string =>
  written([{ name: 'casewatch-stores', rules: STORE_ALERTS.map(alertRule) }]);

const written = (groups: readonly unknown[]) =>
  `${HEADER}${stringify({ groups }, { lineWidth: 0, blockQuote: 'literal' })}`;

function alertRule({ alert, expr, for: duration, severity, summary, runbook }: Alert) {
  return {
    alert,
    expr,
    for: duration,
    labels: { ...LABELS, severity },
    annotations: { summary, runbook_url: `docs/runbooks/${runbook}` },
  };
}
