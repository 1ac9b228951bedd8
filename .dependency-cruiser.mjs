// Which module may import which, by folder: `npm run lint`. A new service, package or tool is covered as soon as its folder exists.
import { Visitor } from '@swc/core/Visitor.js';

// swc's visitor, by which dependency-cruiser finds imports, does not know `using x = …`: to it, that is `const x = …`.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  return this.visitVariableDeclaration({ ...statement, declarations: statement.decls });
};

/** What a top-level folder may import from besides itself and what npm brings. */
const MAY_IMPORT = {
  host: ['services', 'gateway', 'simulators', 'packages'],
  gateway: ['packages'],
  services: ['packages'],
  simulators: ['packages'],
  packages: ['packages', 'proto'],
  proto: [],
  web: ['packages/contracts'],
  bench: ['host', 'services', 'gateway', 'simulators', 'packages', 'tools'],
  scripts: ['host', 'services', 'gateway', 'packages', 'tools'],
  tools: ['host', 'packages'],
  e2e: ['packages'],
};
/** Packages from the lowest level up; one may import only those of lower levels (docs/adr/0024). */
const LEVELS = [
  ['contracts', 'simulator-kit'],
  ['service-kit'],
  ['messaging', 'shared-state'],
  ['service-definition'],
  ['dev-stack'],
  ['testing'],
];
/** Clients of databases, brokers and servers, which only adapters use. */
const DRIVERS = [
  'express',
  'http-proxy-middleware',
  'pg',
  '@prisma',
  'kafkajs',
  'ioredis',
  'undici',
  'nodemailer',
  'stripe',
];
/** Resolved by k6 itself, which runs the scenarios of the load tests. */
const K6_MODULES = '^k6/';
const TEST_CODE = String.raw`\.test\.tsx?$|(^|/)test/|(^|/)vitest\.[^/]+$|^scripts/vitest/|^packages/testing/|^e2e/`;
const tops = Object.keys(MAY_IMPORT);
const levelOf = (names) => `^packages/(${names.join('|')})/`;
const listed = levelOf(LEVELS.flat());

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...tops.flatMap((top) => [
      forbid(`from-${top}`, `${top}/ imports only ${MAY_IMPORT[top].join(', ') || 'itself'}`, {
        from: { path: `^${top}/`, pathNot: TEST_CODE },
        to: { pathNot: outside([top, ...MAY_IMPORT[top]]), dependencyTypesNot: ['core'] },
      }),
      forbid(
        `from-tests-of-${top}`,
        'tests import packages and simulators besides what the code under test does',
        {
          from: { path: `^${top}/.*(${TEST_CODE})` },
          to: {
            pathNot: outside([top, 'packages', 'simulators', ...MAY_IMPORT[top]]),
            dependencyTypesNot: ['core'],
          },
        },
      ),
    ]),
    forbid('from-new-folder', 'a new top-level folder gets its row in .dependency-cruiser.mjs first', {
      from: { path: '/', pathNot: `^(${tops.join('|')})/|node_modules/` },
      to: { path: `^(${tops.join('|')})/` },
    }),
    forbid('service-to-service', 'services meet through events and HTTP', {
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    }),
    forbid('tool-to-service', 'tools know the product from outside', {
      from: { path: '^tools/' },
      to: { path: '^(services|gateway|simulators)/' },
    }),
    ...LEVELS.map((names, level) =>
      forbid(`above-${names.join('-and-')}`, 'a package imports only packages of lower levels', {
        from: { path: levelOf(names), pathNot: TEST_CODE.replace('|^packages/testing/', '') },
        to: { path: levelOf(LEVELS.slice(level).flat()), pathNot: '^packages/$1/' },
      }),
    ),
    forbid('package-without-level', 'a new package gets its level in .dependency-cruiser.mjs first', {
      from: { path: '^packages/([^/]+)/', pathNot: listed },
      to: { path: '^packages/', pathNot: '^packages/$1/' },
    }),
    forbid('domain-to-outside', 'domain/ owns its ports; adapters, routes and jobs import it', {
      from: { path: '^services/([^/]+)/src/domain/', pathNot: TEST_CODE },
      to: { path: '^services/[^/]+/src/', pathNot: '^services/$1/src/domain/' },
    }),
    forbid('domain-to-driver', 'domain/ knows no server, database or broker', {
      from: { path: '^services/[^/]+/src/domain/', pathNot: TEST_CODE },
      to: { path: `node_modules/(${DRIVERS.join('|')})/` },
    }),
    forbid('edge-to-data', 'events/, http/ and jobs/ call domain/, whose ports data/ implements', {
      from: {
        path: '^services/[^/]+/src/(events|http|jobs)/',
        pathNot: TEST_CODE,
      },
      to: { path: '^services/[^/]+/src/data/' },
    }),
    forbid('prisma-outside-data', 'only data/ uses Prisma', {
      from: { path: '^services/[^/]+/src/', pathNot: ['/src/(data|generated)/', TEST_CODE] },
      to: { path: '/src/generated/|node_modules/@prisma/' },
    }),
    forbid('product-to-test', 'what runs without tests imports no test code', {
      from: {
        path: '^(host|gateway|services|simulators|packages|web|scripts)/',
        pathNot: [TEST_CODE, '/bench/'],
      },
      to: { path: TEST_CODE, pathNot: 'node_modules/' },
    }),
    forbid('undeclared', 'a package is named in the package.json next to the code that imports it', {
      from: {
        path: '^(host|gateway|services|simulators|packages|web)/',
        pathNot: [TEST_CODE, '/bench/', '/verify/', '^web/scripts/', '/[^/]+\\.config\\.ts$'],
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    }),
    forbid('unresolved', 'an import leads to a module, but for those that k6 brings', {
      from: {},
      to: { couldNotResolve: true, pathNot: K6_MODULES },
    }),
    forbid('cycle', 'a cycle is one module in several files', { from: {}, to: { circular: true } }),
    forbid('barrel', 'a module is imported from where it is', {
      from: { pathNot: 'node_modules/' },
      to: { path: '(^|/)index\\.[cm]?[jt]sx?$', pathNot: 'node_modules/' },
    }),
  ],
  options: {
    parser: 'swc',
    exclude: { path: ['(^|/)dist/', '(^|/)test-results/', '^\\.stryker'] },
    doNotFollow: { path: ['node_modules/', '/generated/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    skipAnalysisNotInRules: true,
  },
};

function forbid(name, comment, { from, to }) {
  return { name, severity: 'error', comment, from, to };
}

function outside(folders) {
  return ['node_modules/', K6_MODULES, ...folders.map((folder) => `^${folder}/`)];
}
