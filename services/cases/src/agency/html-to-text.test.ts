import fc from 'fast-check';
import { Tokenizer } from 'htmlparser2';
import { expect, test, vi } from 'vitest';
import { allowedLink, htmlToText as convert } from './html-to-text.ts';

const htmlToText = (html: string) => convert(html, ['uscis.gov', 'e.org']);

test('a link becomes text and a separate https address', () => {
  expect(
    htmlToText('Call us, or visit <a href="https://egov.uscis.gov/">our\n  page</a> &amp; follow&nbsp;it.'),
  ).toEqual({
    text: 'Call us, or visit our page & follow it.',
    links: [{ text: 'our page', href: 'https://egov.uscis.gov/' }],
  });
});

test('a link to a host that is not listed is only text, also where the text names a listed one', () => {
  expect(htmlToText('<a href="https://evil.example/">https://www.uscis.gov/account</a> now')).toEqual({
    text: 'https://www.uscis.gov/account now',
    links: [],
  });
  expect(htmlToText('<a href="https://uscis.gov&#x2e;evil.example/">our page</a>').links).toEqual([]);
});

test('the first href of a tag counts, as in a browser', () => {
  expect(htmlToText('<A HREF=https://evil.example/ href="https://www.uscis.gov/">x</a>').links).toEqual([]);
});

test('links are kept to 50, and a text of more than 300 characters is none', () => {
  const link = (text: string) => `<a href="https://www.uscis.gov/">${text}</a> `;
  expect(htmlToText(link('one').repeat(1_000)).links).toHaveLength(50);
  expect(htmlToText(link('x'.repeat(301))).links).toEqual([]);
  expect(htmlToText(link('x'.repeat(300))).links).toHaveLength(1);
});

test('scripts, styles and comments leave nothing behind', () => {
  const html = 'a<script>alert("x")</script><style>b{}</style><!-- c --><img src=x onerror=alert(1)>d';
  expect(htmlToText(html).text).toBe('ad');
});

test.each('script style template noscript iframe object svg math title'.split(' '))(
  'what stands in <%s> is not shown, and what follows is',
  (tag) => {
    expect(htmlToText(`a<${tag}>b</${tag}>c`).text).toBe('ac');
    expect(htmlToText(`a</${tag}>b<${tag}>c</${tag}>d`).text).toBe('abd');
  },
);

test('a drawing that closes itself hides nothing, and a block that does keeps words apart', () => {
  expect(htmlToText('a<svg/>b<math/>c<br/>d').text).toBe('abc d');
  expect(htmlToText('one</p>two').text).toBe('one two');
});

test.each([
  [
    'an address with entities',
    '<a class="x" href="https://e.org/?a=1&amp;b=2">t</a>',
    ['https://e.org/?a=1&b=2'],
  ],
  ['a link that is not closed', 'go <a href="https://e.org/">here', ['https://e.org/']],
  [
    'a link that the next one ends',
    '<a href="https://e.org/1">one<a href="https://e.org/2">two</a>',
    ['https://e.org/1', 'https://e.org/2'],
  ],
  ['a link without a text', '<a href="https://e.org/"> <b></b></a>', []],
  ['an anchor after a link', '<a href="https://e.org/">one</a> <a name="top">two</a>', ['https://e.org/']],
  ['an address of another attribute', '<a data-href="https://e.org/">one</a>', []],
  ['another tag with an address', '<b href="https://e.org/">one</b>', []],
])('%s: %s', (_name, html, hrefs) => {
  expect(htmlToText(html).links.map(({ href }) => href)).toEqual(hrefs);
});

test('tags and their names count in any case', () => {
  expect(htmlToText('one<P>two<SCRIPT>x</SCRIPT>three</DIV>four').text).toBe('one twothree four');
  const link = { text: 't', href: 'https://e.org/' };
  expect(htmlToText('<A HREF="https://e.org/">t</A> u')).toEqual({ text: 't u', links: [link] });
});

test('what follows a link is not part of its text', () => {
  expect(htmlToText('<a href="https://e.org/">one</a> two').links).toEqual([
    { text: 'one', href: 'https://e.org/' },
  ]);
});

test('blocks and line breaks keep words apart', () => {
  expect(htmlToText('<p>One.</p><p>Two.<br>Three</p><ul><li>Four</ul>').text).toBe('One. Two. Three Four');
});

test.each(
  'address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul'.split(
    ' ',
  ),
)('<%s> keeps words apart', (tag) => {
  expect(htmlToText(`one<${tag}>two`).text).toBe('one two');
});

test('HTML that was escaped once more is unwrapped, not shown', () => {
  expect(htmlToText('&lt;b&gt;Bold&lt;/b&gt; &lt;script&gt;x&lt;/script&gt; text').text).toBe('Bold text');
});

test('HTML that was escaped twice more is unwrapped, and beyond that loses its brackets', () => {
  expect(htmlToText('<b>&lt;i&gt;&amp;lt;u&amp;gt;Text').text).toBe('Text');
  expect(htmlToText('<b>&lt;i&gt;&amp;lt;u&amp;gt;&amp;amp;lt;s>Text').text).toBe('s>Text');
});

test('a lone comparison sign is kept', () => {
  expect(htmlToText('fees < 100 and > 10').text).toBe('fees < 100 and > 10');
});

test('characters that reverse or hide text are dropped', () => {
  expect(htmlToText('ap\u202Eproved\u0000\u200F').text).toBe('approved');
});

test('a text without HTML is cleaned all the same', () => {
  expect(htmlToText('  Case\tWas\u00A0 Received \u202E\u0007').text).toBe('Case Was Received');
  expect(htmlToText('Se recibió su caso').text).toBe('Se recibió su caso');
  expect(htmlToText('a\uD800b').text).toBe('a\uFFFDb');
  expect(htmlToText('').text).toBe('');
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

test.each([
  ['open angle brackets', '<'],
  ['brackets before a letter', '<<<<a '],
  ['ampersands', '&'],
  ['entities', '&amp;'],
  ['unfinished numeric entities', '&#9'],
  ['unfinished tags', '<a '],
  ['tags that are never closed', '<b>'],
  ['closing tags without a beginning', '<i></b>'],
  ['nested tables', '<table><tr><td>x'],
  ['nested forms', '<form>'],
  ['unfinished attributes', '<a href="x'],
  ['attributes without end', ' x=y'],
  ['unfinished comments', '<!--'],
  ['unfinished CDATA', '<![CDATA['],
  ['links', '<a href="https://www.uscis.gov/">x</a>'],
  ['links within links', '<a href="https://www.uscis.gov/">x'],
  ['hidden text', '<svg>'],
  ['scripts', '<script><'],
  ['NUL', '\0'],
  ['one word', 'x'],
])('ten times as many %s take at most ten times the work', (_name, piece) => {
  const few = workOf(piece.repeat(2_000));
  expect(workOf(piece.repeat(20_000))).toBeLessThanOrEqual(few * 10 + 100);
});

/** Counts the pieces that the tokenizer and the converter cut out of the text, and the characters in them. */
function workOf(html: string): number {
  const writes = vi.spyOn(Tokenizer.prototype, 'write');
  const cuts = vi.spyOn(String.prototype, 'slice');
  try {
    expect(htmlToText(html).text.length).toBeLessThanOrEqual(html.length);
    expect(writes.mock.calls.length).toBeLessThanOrEqual(3);
    return cuts.mock.results.reduce((sum, { value }) => sum + 1 + String(value).length, 0);
  } finally {
    writes.mockRestore();
    cuts.mockRestore();
  }
}

const HOSTS = ['uscis.gov', 'tools.usps.com'];

test.each([
  'https://uscis.gov/',
  'https://www.uscis.gov/forms',
  'https://egov.uscis.gov/processing-times/',
  'https://EGOV.USCIS.GOV:443/x?y=1#z',
  'https://tools.usps.com/go',
  ' \nhttps://uscis.gov/\t',
])('%s is kept', (href) => {
  expect(allowedLink(href, HOSTS)).toBe(new URL(href).href);
});

test.each([
  ['another host', 'https://evil.example/'],
  ['a host that only ends alike', 'https://notuscis.gov/'],
  ['an agency name in front', 'https://www.uscis.gov.evil.example/'],
  ['a subdomain of a listed host is fine, its parent is not', 'https://usps.com/'],
  ['plain http', 'http://www.uscis.gov/'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['no scheme', '//www.uscis.gov/'],
  ['a relative address', '/forms'],
  ['a user name', 'https://www.uscis.gov@evil.example/'],
  ['a user name before an agency host', 'https://evil.example@www.uscis.gov/'],
  ['a password', 'https://a:b@www.uscis.gov/'],
  ['a port', 'https://www.uscis.gov:8443/'],
  ['a look-alike letter', 'https://www.usc\u0456s.gov/'],
  ['a full-width dot and look-alike', 'https://www\uFF0Eusc\u0131s.gov/'],
  ['a trailing dot', 'https://www.uscis.gov./'],
  ['a backslash', 'https://evil.example\\.uscis.gov/'],
  ['nothing', ''],
])('%s is not a link', (_name, href) => {
  expect(allowedLink(href, HOSTS)).toBeUndefined();
});

test('a tab or line break inside an address hides no other host', () => {
  expect(allowedLink('https://evil.exa\nmple/\twww.uscis.gov', HOSTS)).toBeUndefined();
});
