import { mutateImports } from '@casewatch/testing/mutate-imports';
import { expect, test } from 'vitest';

const FILE = 'packages/testing/src/mutation.ts';

test('what a test imports is mutated', async () => {
  mutateImports([{ file: FILE, find: "?? '[]'", replace: `?? '["mutated"]'` }]);
  const { mutationsOf } = await import('../src/mutation.ts');
  expect(mutationsOf({})).toEqual(['mutated']);
});

test('the next test imports what is there', async () => {
  const { mutationsOf } = await import('../src/mutation.ts');
  expect(mutationsOf({})).toEqual([]);
});

test('a text that the file does not hold once fails the import', async () => {
  mutateImports([{ file: FILE, find: 'a text that is not there', replace: '' }]);
  await expect(import('../src/mutation.ts')).rejects.toThrow();
  // Also where another module imports it.
  await expect(import('../src/mutated-sources.ts')).rejects.toThrow();
});
