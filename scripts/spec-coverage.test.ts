import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkCoverage } from './check-spec-coverage.ts';
import { readSources } from './spec-coverage/read-sources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A file of tests in docs/security.md. */
const REFERENCE = /`([\w./-]+\.(?:test|spec)\.tsx?)`/g;

test('every line of the specification has a row, and every test that a row names is in the sources', () => {
  const page = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8');
  expect(checkCoverage(page, readSources(root))).toEqual([]);
});

test('every file of tests that docs/security.md names exists', () => {
  const page = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
  const files = new Set([...page.matchAll(REFERENCE)].map(([, file = '']) => file));
  expect([...files].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(files.size).toBeGreaterThan(30);
});
