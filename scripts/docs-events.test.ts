import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventsPage } from './docs-events.ts';
import { readPage } from './generated-pages.ts';

test('docs/events.md is what the messages and the services say (npm run docs)', () => {
  expect(readPage('docs/events.md')).toBe(eventsPage());
});

test('every message in proto/ is an event that code can publish', () => {
  const folder = fileURLToPath(new URL('../proto/casewatch/events/v1/', import.meta.url));
  const topics = readdirSync(folder)
    .filter((file) => file !== 'options.proto')
    .map((file) => file.replace('.proto', '').replaceAll('_', '-'));
  const sections = [...eventsPage().matchAll(/^## (.+)$/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'The path of an event');
  expect(sections).toEqual(topics.sort());
});

test('every event has a producer and a consumer', () => {
  const missing = [...eventsPage().matchAll(/^- (Producers|Consumers): none$/gm)];
  expect(missing).toEqual([]);
});
