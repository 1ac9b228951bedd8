import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A row's last cell: `path/to/file.ts` › name of the test, several of them with <br> between. */
const REFERENCE = /`([^`]+)` › ([^|]+?)(?=\s*(?:<br>|\|))/g;

interface Reference {
  file: string;
  name: string;
}

function references(page: string): Reference[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(REFERENCE)].map(([, file = '', name = '']) => ({ file, name: name.trim() }));
}

test.each([
  ['docs/spec-coverage.md', 100],
  ['docs/security.md', 30],
])('every test that %s names exists under that name', (page, least) => {
  const missing = references(page).filter(({ file, name }) => {
    const full = path.join(root, file);
    return !existsSync(full) || !readFileSync(full, 'utf8').includes(name);
  });
  expect(missing).toEqual([]);
  expect(references(page).length).toBeGreaterThan(least);
});

test('every row of the page names a test, or says that its part follows', () => {
  const rows = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| §') && !line.startsWith('| where'));
  const bare = rows.filter((row) => !row.includes(' › ') && !/\| follows with [a-z-]+ \|$/.test(row));
  expect(bare).toEqual([]);
});
