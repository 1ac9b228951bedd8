import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkCoverage } from './check-spec-coverage.ts';
import { readSources } from './spec-coverage/read-sources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('every line of the specification has a row, and every test that a row names is in the sources', () => {
  const page = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8');
  expect(checkCoverage(page, readSources(root))).toEqual([]);
});
