import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlToText } from './html-to-text.ts';

test('a link becomes text and an https address beside it', () => {
  expect(
    htmlToText('Call us, or visit <a href="https://egov.uscis.gov/">our\n  page</a> &amp; follow&nbsp;it.'),
  ).toEqual({
    text: 'Call us, or visit our page & follow it.',
    links: [{ text: 'our page', href: 'https://egov.uscis.gov/' }],
  });
});

test.each([
  ['javascript:alert(1)'],
  ['http://example.org/'],
  ['//example.org/'],
  ['/relative'],
  ['data:text/html,x'],
  ['https://uscis.gov@example.org/'],
])('a link to %s is only text', (href) => {
  expect(htmlToText(`see <a href="${href}">this</a> page`)).toEqual({ text: 'see this page', links: [] });
});

test('scripts, styles and comments leave nothing behind', () => {
  const html = 'a<script>alert("x")</script><style>b{}</style><!-- c --><img src=x onerror=alert(1)>d';
  expect(htmlToText(html).text).toBe('ad');
});

test('blocks and line breaks keep words apart', () => {
  expect(htmlToText('<p>One.</p><p>Two.<br>Three</p><ul><li>Four</ul>').text).toBe('One. Two. Three Four');
});

test('HTML that was escaped once more is unwrapped, not shown', () => {
  expect(htmlToText('&lt;b&gt;Bold&lt;/b&gt; &lt;script&gt;x&lt;/script&gt; text').text).toBe('Bold text');
});

test('a lone comparison sign is kept', () => {
  expect(htmlToText('fees < 100 and > 10').text).toBe('fees < 100 and > 10');
});

test('characters that reverse or hide text are dropped', () => {
  expect(htmlToText('ap\u202Eproved\u0000\u200F').text).toBe('approved');
});

test('whatever comes in, no tag comes out and every link text is in the text', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '<',
      '>',
      '&lt;',
      '&amp;lt;',
      '&#60;',
      'script',
      '/',
      'a href="https://e.org"',
      '<a href="https://e.org">',
      '</a>',
      ' ',
      'b',
      '"',
      '<!--',
      '-->',
      '&',
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const { text, links } = htmlToText(parts.join(''));
      expect(text).not.toMatch(/<[a-z/!?]/i);
      for (const link of links) expect(text).toContain(link.text);
    }),
    { numRuns: 500 },
  );
});
