import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { promtool } from '../src/promtool.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const tests = fileURLToPath(new URL('../alerts/', import.meta.url));
const rulesFiles = ['alerts.yaml', 'stores/alerts.yaml'].map((name) =>
  path.join(repository, 'charts/casewatch/files', name),
);
const testFiles = readdirSync(tests).filter((name) => name.endsWith('.test.yaml'));

const Rule = z.looseObject({ alert: z.string(), expr: z.string(), for: z.string() });
type Rule = z.infer<typeof Rule>;
const Recording = z.looseObject({
  record: z.string(),
  expr: z.string(),
  labels: z.object({ objective: z.string() }).loose(),
});
const Rules = z.object({ groups: z.array(z.object({ rules: z.array(z.union([Rule, Recording])) })) });
const Expectation = z.looseObject({
  alertname: z.string(),
  exp_alerts: z.array(z.looseObject({ exp_annotations: z.looseObject({ runbook_url: z.string() }) })),
});
const TestFile = z.looseObject({
  tests: z.array(z.looseObject({ alert_rule_test: z.array(Expectation).default([]) })),
});

const all = rulesFiles.flatMap((file) =>
  Rules.parse(parse(readFileSync(file, 'utf8'))).groups.flatMap((group) => group.rules),
);
const recordings = all.flatMap((rule) => ('record' in rule ? [Recording.parse(rule)] : []));
const rules = all.flatMap((rule) => ('alert' in rule ? [Rule.parse(rule)] : []));
/** The burn rate whose tests have little traffic; the others ask for as many bad events. */
const FEW_EVENTS = 'CasewatchNotificationBurnRate1H';
let folder: string;

beforeAll(async () => {
  await promtool(['--version'], repository);
}, 1_800_000);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-alerts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('Prometheus takes the rules, and finds nothing to complain of', async () => {
  expect(
    await promtool(['check', 'rules', '--lint=all', '--lint-fatal', ...rulesFiles], repository),
  ).toMatchObject({ ok: true });
});

/** Of all rules together; what a file says of one alert is tried below, with that alert and what it is made of alone. */
const aboutAll = testFiles.filter((name) =>
  readFileSync(path.join(tests, name), 'utf8').includes('promql_expr_test'),
);

it.each(aboutAll)('promtool test rules %s', async (name) => {
  const { ok, output } = await promtool(['test', 'rules', path.join(tests, name)], repository);
  expect(ok, output).toBe(true);
  expect(output).toContain('SUCCESS');
});

it('every alert is seen to fire with its runbook, which exists, and seen not to', () => {
  const expected = testFiles.flatMap((name) =>
    TestFile.parse(parse(readFileSync(path.join(tests, name), 'utf8'))).tests.flatMap(
      (test) => test.alert_rule_test,
    ),
  );
  for (const { alert } of rules) {
    const ofIt = expected.filter(({ alertname }) => alertname === alert);
    const fired = ofIt.flatMap((each) => each.exp_alerts);
    expect(fired.length, `${alert} fires`).toBeGreaterThan(0);
    expect(ofIt.filter((each) => each.exp_alerts.length === 0).length, `${alert} rests`).toBeGreaterThan(1);
    for (const { exp_annotations: annotations } of fired) {
      expect(existsSync(path.join(repository, annotations.runbook_url)), annotations.runbook_url).toBe(true);
    }
  }
});

it('no burn rate alerts on fewer than ten bad events in its long window', () => {
  const burnRates = rules.filter(({ alert }) => alert.includes('BurnRate'));
  expect(burnRates).toHaveLength(12);
  for (const { alert, expr } of burnRates) expect(expr, alert).toMatch(/rate\d+[hd]\{[^}]*\} \* \d+ >= 10$/);
});

describe('the tests notice', () => {
  /** Thresholds of a rule, moved so far that it would page too late or for nothing. */
  const changes = rules.flatMap((rule) =>
    thresholdsOf(rule).flatMap(([from, to]) => to.map((each) => ({ alert: rule.alert, from, to: each }))),
  );

  it('changes of every rule are tried', () => {
    const named = changes.map(({ alert }) => alert);
    expect(rules.map(({ alert }) => alert).filter((alert) => !named.includes(alert))).toEqual([
      'CasewatchDependencyDown',
      'CasewatchNoAgencyCaller',
      'CasewatchRoleAway',
      'CasewatchMetricsMissing',
    ]);
  });

  it.each(rules)('nothing where $alert is as it is', async ({ alert }) => {
    expect(await passesWith((rule) => rule, alert)).toBe(true);
  });

  it.each(changes)('$alert with $to in the place of $from', async ({ alert, from, to }) => {
    const changed = await passesWith((rule) => ({ ...rule, expr: rule.expr.replaceAll(from, to) }), alert);
    expect(changed).toBe(false);
  });

  it.each(rules)('$alert that waits for twice $for', async ({ alert, for: duration }) => {
    const twice = `${Number.parseInt(duration, 10) * 2}m`;
    expect(await passesWith((rule) => ({ ...rule, for: twice }), alert)).toBe(false);
  });

  it.each(rules)('$alert that waits for nothing', async ({ alert }) => {
    expect(await passesWith((rule) => ({ ...rule, for: '0s' }), alert)).toBe(false);
  });
});

/** Whether the tests of one alert, which is changed and without other alerts, pass. */
async function passesWith(change: (rule: Rule) => Rule, alert: string): Promise<boolean> {
  const rule = rules.find((each) => each.alert === alert);
  if (!rule) throw new Error(`there is no rule ${alert}`);
  const write = (name: string, content: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  const changed = change(rule);
  write('alerts.yaml', { groups: [{ name: 'changed', rules: [...recordingsIn(changed.expr), changed] }] });
  const copies = testFiles.flatMap((name) => {
    const file = TestFile.parse(parse(readFileSync(path.join(tests, name), 'utf8')));
    const ofIt = file.tests.flatMap((test) => {
      const kept = test.alert_rule_test.filter(({ alertname }) => alertname === alert);
      return kept.length > 0 ? [{ ...test, alert_rule_test: kept, promql_expr_test: [] }] : [];
    });
    if (ofIt.length === 0) return [];
    write(name, { ...file, rule_files: ['alerts.yaml'], tests: ofIt });
    return [name];
  });
  const { ok, output } = await promtool(['test', 'rules', ...copies], folder);
  // Failed for what it says, not because it can't be read.
  expect(output).toMatch(ok ? /SUCCESS/ : /alertname: /);
  return ok;
}

/** The recording rules whose series an expression names, with the labels that it names. */
function recordingsIn(expr: string) {
  return recordings.filter(({ record, labels }) =>
    expr.includes(`${record}{namespace="casewatch",release="casewatch",objective="${labels.objective}"}`),
  );
}

/** What an expression compares with, each with a little more and a little less. */
function thresholdsOf({ alert, expr }: Rule): [string, string[]][] {
  const fewest: [string, string[]] = ['>= 10', ['>= 20', '>= 5']];
  const burn = /> \(([\d.]+) \* ([\d.]+)\)/.exec(expr);
  if (burn) {
    const [whole, rate = '', budget = ''] = burn;
    const changed = [`> (${Number(rate) * 1.05} * ${budget})`, `> (${Number(rate) * 0.95} * ${budget})`];
    return [[whole, changed], ...(alert === FEW_EVENTS ? [fewest] : [])];
  }
  // Of processes that are scraped, `up` is 1 and not 0: no threshold. So is the gauge of the agency's caller.
  const compared = expr.replaceAll(/up\{[^}]*\}\)? == [01]/g, '');
  return [...new Set(compared.match(/(?:>|==) [\d.]+/g))].flatMap((found): [string, string[]][] => {
    const [sign = '', number = ''] = found.split(' ');
    if (number === '0') return sign === '>' ? [[found, ['> 50']]] : [];
    if (sign === '==') return [[found, ['== 2']]];
    return [[found, [`> ${Number(number) * 1.2}`, `> ${Number(number) * 0.8}`]]];
  });
}
