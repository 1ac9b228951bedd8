import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise, type IConfiguration } from 'dependency-cruiser';
import { afterAll, beforeAll, expect, test } from 'vitest';

const RULES = new URL('../.dependency-cruiser.mjs', import.meta.url);

/** File, what it imports, the rule that refuses it: planted in a scratch tree, all of them in one run. */
const REFUSED = [
  ['services/cases/src/by-name.ts', '@casewatch/identity/service', 'service-to-service'],
  ['services/cases/src/by-path.ts', '../../identity/src/service.ts', 'service-to-service'],
  ['services/cases/test/other.test.ts', '@casewatch/identity/service', 'service-to-service'],
  ['services/new-service/src/other.ts', '@casewatch/identity/service', 'service-to-service'],
  ['services/cases/src/host.ts', '@casewatch/host/main', 'from-services'],
  ['services/cases/test/host.test.ts', '@casewatch/host/main', 'from-tests-of-services'],
  ['gateway/src/service.ts', '@casewatch/cases/service', 'from-gateway'],
  ['simulators/agency/src/service.ts', '@casewatch/cases/service', 'from-simulators'],
  ['proto/src/package.ts', '@casewatch/service-kit/clock', 'from-proto'],
  ['tools/new-tool/src/service.ts', '@casewatch/cases/service', 'tool-to-service'],
  ['tools/new-tool/test/service.test.ts', '@casewatch/cases/service', 'tool-to-service'],
  ['web/src/kit.ts', '@casewatch/service-kit/clock', 'from-web'],
  ['new-folder/src/service.ts', '@casewatch/cases/service', 'from-new-folder'],
  ['packages/service-kit/src/service.ts', '@casewatch/cases/service', 'from-packages'],
  ['packages/contracts/src/kit.ts', '@casewatch/service-kit/clock', 'above-contracts-and-simulator-kit'],
  ['packages/messaging/src/state.ts', '@casewatch/shared-state/cache', 'above-messaging-and-shared-state'],
  ['packages/dev-stack/src/fixture.ts', '@casewatch/testing/fixture', 'above-dev-stack'],
  ['packages/new-package/src/kit.ts', '@casewatch/service-kit/clock', 'package-without-level'],
  ['services/cases/src/domain/adapter.ts', '../agency/client.ts', 'domain-to-outside'],
  ['services/cases/src/domain/route.ts', '../http/route.ts', 'domain-to-outside'],
  ['services/cases/src/domain/new-adapter.ts', '../new-adapter/client.ts', 'domain-to-outside'],
  ['services/cases/src/domain/driver.ts', 'pg', 'domain-to-driver'],
  ['services/identity/src/http/prisma.ts', '../generated/client.ts', 'prisma-outside-data'],
  ['services/identity/src/events/on-rows.ts', '../data/rows.ts', 'edge-to-data'],
  ['services/new-service/src/events/on-rows.ts', '../data/rows.ts', 'edge-to-data'],
  ['services/cases/src/http/rows.ts', '../data/rows.ts', 'edge-to-data'],
  ['services/cases/src/jobs/rows-job.ts', '../data/rows.ts', 'edge-to-data'],
  ['services/cases/src/fixture.ts', '@casewatch/testing/fixture', 'product-to-test'],
  ['gateway/src/test-file.ts', '../test/fixture.ts', 'product-to-test'],
  ['scripts/start.ts', '@casewatch/testing/fixture', 'product-to-test'],
  ['packages/service-kit/src/circle-1.ts', './circle-2.ts', 'cycle'],
  ['services/cases/src/barrel.ts', './http/index.ts', 'barrel'],
  ['services/cases/src/undeclared.ts', 'pg', 'undeclared'],
  ['services/cases/src/nowhere.ts', './nowhere-else.ts', 'unresolved'],
] as const;

const ALLOWED = [
  ['host/src/service.ts', '@casewatch/cases/service'],
  ['services/identity/src/data/prisma.ts', '../generated/client.ts'],
  ['services/cases/src/http/use-case.ts', '../domain/rule.ts'],
  ['services/cases/src/domain/use-case.ts', './rule.ts'],
  ['services/identity/src/service-rows.ts', './data/rows.ts'],
  ['services/cases/test/simulator.test.ts', '@casewatch/agency-simulator/main'],
  ['services/cases/test/fixture.test.ts', '@casewatch/testing/fixture'],
  ['packages/messaging/src/kit.ts', '@casewatch/service-kit/clock'],
  ['packages/service-kit/src/clock.test.ts', '@casewatch/testing/fixture'],
] as const;

/** What the planted imports lead to. */
const TARGETS = [
  ...['host/src/main.ts', 'services/identity/src/service.ts', 'services/cases/src/service.ts'],
  ...['services/cases/src/agency/client.ts', 'services/cases/src/new-adapter/client.ts'],
  ...['services/cases/src/http/route.ts', 'services/cases/src/http/index.ts'],
  ...['services/identity/src/generated/client.ts', 'services/cases/src/domain/rule.ts'],
  ...['cases', 'identity', 'new-service'].map((name) => `services/${name}/src/data/rows.ts`),
  ...['simulators/agency/src/main.ts', 'gateway/test/fixture.ts', 'node_modules/pg/index.js'],
  ...[
    'packages/service-kit/src/clock.ts',
    'packages/shared-state/src/cache.ts',
    'packages/testing/src/fixture.ts',
  ],
];

let root: string;
let broken: Set<string>;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'casewatch-imports-'));
  for (const file of TARGETS) write(file, 'export const it = 1;');
  for (const [file, specifier] of [...REFUSED, ...ALLOWED]) write(file, `import { it } from '${specifier}';`);
  write('packages/service-kit/src/circle-2.ts', "import './circle-1.ts';");
  for (const folder of ['host', 'services/identity', 'services/cases', 'packages/service-kit']) link(folder);
  for (const folder of ['packages/shared-state', 'packages/testing']) link(folder);
  link('simulators/agency', 'agency-simulator');
  const { default: rules }: { default: IConfiguration } = await import(`${RULES}`);
  const { forbidden = [], options = {} } = rules;
  const { output } = await cruise(['.'], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  });
  if (typeof output === 'string') throw new Error(output);
  broken = new Set(output.summary.violations.map(({ from, rule }) => `${from} ${rule.name}`));
});
afterAll(() => rmSync(root, { recursive: true }));

test.each(REFUSED)('%s must not import %s', (file, _specifier, rule) => {
  expect(broken).toContain(`${file} ${rule}`);
});

test.each(ALLOWED)('%s may import %s', (file) => {
  expect([...broken].filter((each) => each.startsWith(`${file} `))).toEqual([]);
});

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/** Makes a folder a workspace, as npm links it. */
function link(folder: string, name = path.basename(folder)): void {
  write(
    `${folder}/package.json`,
    JSON.stringify({ name: `@casewatch/${name}`, exports: { './*': './src/*.ts' } }),
  );
  mkdirSync(path.join(root, 'node_modules/@casewatch'), { recursive: true });
  symlinkSync(path.join(root, folder), path.join(root, 'node_modules/@casewatch', name));
}
