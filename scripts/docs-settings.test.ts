import { expect, test } from 'vitest';
import { settingsPage } from './docs-settings.ts';
import { readPage } from './generated-pages.ts';

test('docs/settings.md is what the settings schemas say (npm run docs)', async () => {
  expect(readPage('docs/settings.md')).toBe(await settingsPage());
});
