import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkImports } from './check-imports.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'casewatch-imports-'));
  for (const folder of [
    'services/cases',
    'services/identity',
    'packages/service-kit',
    'packages/contracts',
    'host',
  ]) {
    write(`${folder}/package.json`, JSON.stringify({ name: `@casewatch/${path.basename(folder)}` }));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
const messages = () => checkImports(root).map(({ message }) => message);

test('a service may import packages, the host may import services', () => {
  write('services/cases/src/a.ts', "import { x } from '@casewatch/service-kit/x';");
  write('host/src/a.ts', "import { service } from '@casewatch/cases/service';");
  expect(messages()).toEqual([]);
});

test.each([
  ['by package name', "import { x } from '@casewatch/identity/x';"],
  ['by path', "import { x } from '../../identity/src/x.ts';"],
  ['by re-export', "export { x } from '@casewatch/identity/x';"],
  ['by dynamic import', "await import('@casewatch/identity/x');"],
])('a service must not import another service %s', (_how, text) => {
  write('services/cases/src/a.ts', text);
  expect(messages()).toEqual([expect.stringContaining('services/cases must not import services/identity')]);
});

test('packages must not import services, nor each other against their order', () => {
  write('packages/service-kit/src/a.ts', "import { x } from '@casewatch/cases/service';");
  write('packages/contracts/src/a.ts', "import { x } from '@casewatch/service-kit/x';");
  expect(messages()).toHaveLength(2);
});

test('domain code must not know Express or Prisma, and only data/ may', () => {
  write(
    'services/cases/src/domain/a.ts',
    "import express from 'express';\nimport { p } from '../generated/client.ts';",
  );
  write('services/cases/src/http/a.ts', "import { p } from '../generated/client.ts';");
  write('services/cases/src/data/a.ts', "import { p } from '../generated/client.ts';");
  expect(
    checkImports(root)
      .map(({ file }) => file)
      .sort(),
  ).toEqual([
    'services/cases/src/domain/a.ts',
    'services/cases/src/domain/a.ts',
    'services/cases/src/http/a.ts',
  ]);
});
