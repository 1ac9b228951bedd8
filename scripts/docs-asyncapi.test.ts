import { Parser } from '@asyncapi/parser';
import { expect, test } from 'vitest';
import { asyncApiPage } from './docs-asyncapi.ts';
import { readPage } from './generated-pages.ts';

const findings = async (document: string) =>
  (await new Parser().validate(document)).map(({ path, message }) => `${path.join('.')}: ${message}`);

test('docs/asyncapi.yaml is what the messages and the services say (npm run docs)', () => {
  expect(readPage('docs/asyncapi.yaml')).toBe(asyncApiPage());
});

test('the parser of AsyncAPI finds nothing to report in it', async () => {
  expect(await findings(asyncApiPage())).toEqual([]);
});

test.each([
  ['an action that does not exist', 'action: send', 'action: shout'],
  ['a message that is missing', 'messages/UserDeleted"', 'messages/UserRemoved"'],
  ['a schema that is none', 'format: date-time', 'type: moment'],
])('the parser reports %s', async (_, correct, wrong) => {
  const document = asyncApiPage();
  expect(document).toContain(correct);
  expect(await findings(document.replace(correct, wrong))).not.toEqual([]);
});
