import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';

test('a row has every value in quotes, quotes doubled, and ends with CRLF', () => {
  expect(csvRow(['a', 'say "hi", please', 'two\nlines', 3, true, null, undefined, ''])).toBe(
    '"a","say ""hi"", please","two\nlines","3","true","","",""\r\n',
  );
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tcmd',
  '\rcmd',
  '\ncmd',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '"=1',
  '＝1',
  '＠A',
  '|cmd',
  '%0A',
])('a spreadsheet takes %j for text', (text) => {
  expect(csvRow([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
});

test.each(['1-2', 'a=b', 'me@example.org', 'Dr. No'])('%j stays as it is', (text) => {
  expect(csvRow([text])).toBe(`"${text}"\r\n`);
});
