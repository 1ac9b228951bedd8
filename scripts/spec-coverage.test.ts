import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkCoverage } from './check-spec-coverage.ts';
import { readSources } from './spec-coverage/read-sources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A test in docs/security.md: `path/to/file.ts` › its name, several of them with <br> between. */
const REFERENCE = /`([^`]+)` › ([^|]+?)(?=\s*(?:<br>|\|))/g;

test('every line of the specification has a row, and every test that a row names is in the sources', () => {
  const page = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8');
  expect(checkCoverage(page, readSources(root))).toEqual([]);
});

test('every test that docs/security.md names exists under that name', () => {
  const page = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
  const references = [...page.matchAll(REFERENCE)].map(([, file = '', name = '']) => ({
    file,
    name: name.trim(),
  }));
  const missing = references.filter(({ file, name }) => {
    const full = path.join(root, file);
    return !existsSync(full) || !readFileSync(full, 'utf8').includes(name);
  });
  expect(missing).toEqual([]);
  expect(references.length).toBeGreaterThan(30);
});
