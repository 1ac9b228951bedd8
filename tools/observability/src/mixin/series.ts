/**
 * Which release a query is about. The rules name one namespace and one release, which the chart replaces by its own; the
 * dashboards select by variables.
 */
export type Selector = (name: string, ...matchers: readonly string[]) => string;

export const NAMESPACE = 'casewatch';
export const RELEASE = 'casewatch';
/** Where the data stores are, which the chart replaces by its value. */
export const STORES_NAMESPACE = 'casewatch-stores';

const selecting =
  (...release: readonly string[]): Selector =>
  (name, ...matchers) =>
    `${name}{${[...release, ...matchers].join(',')}}`;

/** Series of one release, in rules. */
export const inRelease = selecting(`namespace="${NAMESPACE}"`, `release="${RELEASE}"`);
/** The last value of a gauge of the release: one that can't be read now and then must not reset an alert that waits. */
export const last = (gauge: string, ...matchers: string[]) =>
  `last_over_time(${inRelease(gauge, ...matchers)}[10m])`;
/** Series of the releases that a viewer has chosen, in dashboards; one Prometheus may have those of several clusters. */
export const inChosen = selecting('cluster=~"$cluster"', 'namespace=~"$namespace"', 'release=~"$release"');

export interface Alert {
  alert: string;
  expr: string;
  for: string;
  severity: 'page' | 'ticket';
  summary: string;
  runbook: string;
}
