import { fileURLToPath } from 'node:url';
import { DASHBOARDS } from '../tools/observability/src/mixin/dashboards.ts';
import { rulesFile, storeRulesFile } from '../tools/observability/src/mixin/rules.ts';
import { writeGeneratedPages } from './generated-pages.ts';

const FILES = 'charts/casewatch/files';

/** Returns the chart's rules and dashboards by path, as the mixin makes them. */
export function mixinFiles(): Record<string, string> {
  const dashboards = Object.entries(DASHBOARDS).map(([name, made]) => [
    `${FILES}/dashboards/${name}`,
    `${JSON.stringify(made, null, 2)}\n`,
  ]);
  return {
    [`${FILES}/alerts.yaml`]: rulesFile('distributed'),
    [`${FILES}/alerts-single.yaml`]: rulesFile('single'),
    [`${FILES}/stores/alerts.yaml`]: storeRulesFile(),
    ...Object.fromEntries(dashboards),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeGeneratedPages(mixinFiles());
