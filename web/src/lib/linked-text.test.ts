import { expect, test } from 'vitest';
import { linkedText } from './linked-text.ts';

const TEXT = 'If you move, go to our site to tell us. Ask at our site, or call.';

test('the words of a link become a link, and the rest stays as it was', () => {
  expect(linkedText(TEXT, [{ text: 'go to our site', href: 'https://www.uscis.gov/move' }])).toEqual([
    { text: 'If you move, ' },
    { text: 'go to our site', href: 'https://www.uscis.gov/move' },
    { text: ' to tell us. Ask at our site, or call.' },
  ]);
});

test('two links with the same words are two places in the text', () => {
  const links = [
    { text: 'our site', href: 'https://a.example/' },
    { text: 'our site', href: 'https://b.example/' },
  ];
  const hrefs = linkedText(TEXT, links).map(({ href }) => href);
  expect(hrefs).toEqual([undefined, 'https://a.example/', undefined, 'https://b.example/', undefined]);
});

test.each([
  'javascript:alert(1)',
  'http://www.uscis.gov/',
  'data:text/html,x',
  '//evil.example',
  'not a url',
])('an address that is not https (%s) never becomes a link', (href) => {
  expect(linkedText(TEXT, [{ text: 'our site', href }])).toEqual([{ text: TEXT }]);
});

test('a link whose words are not in the text loses nothing of the text', () => {
  expect(
    linkedText(TEXT, [
      { text: 'elsewhere', href: 'https://a.example/' },
      { text: '', href: 'https://b.example/' },
    ]),
  ).toEqual([{ text: TEXT }]);
});

test('a text without links is one part, and an empty one none', () => {
  expect(linkedText('Plain.', [])).toEqual([{ text: 'Plain.' }]);
  expect(linkedText('', [])).toEqual([]);
});
