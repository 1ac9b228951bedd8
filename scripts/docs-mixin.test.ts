import { expect, test } from 'vitest';
import { mixinFiles } from './docs-mixin.ts';
import { readPage } from './generated-pages.ts';

test('the rules and dashboards of the chart are as the mixin makes them (npm run docs)', () => {
  for (const [file, text] of Object.entries(mixinFiles())) expect(readPage(file), file).toBe(text);
});
