import { Parser } from 'htmlparser2';

export interface TextWithLinks {
  text: string;
  /** In order; `text` occurs in the whole text, `href` is an https address. */
  links: { text: string; href: string }[];
}

/** HTML within HTML is unwrapped this often; what then still looks like a tag loses its bracket. */
const PASSES = 3;
const TAG_START = /<+(?=[a-z/!?])/gi;
const BLOCKS = new Set([
  'address',
  'article',
  'blockquote',
  'br',
  'dd',
  'div',
  'dl',
  'dt',
  'h1',
  'h2',
  'h3',
  'h4',
]);
for (const tag of ['h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre', 'section', 'table', 'td', 'th', 'tr', 'ul'])
  BLOCKS.add(tag);
const SILENT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'title',
]);

/**
 * HTML as plain text: entities decoded, white space collapsed, scripts and styles dropped, and the links beside it.
 * Whatever comes in, no tag comes out. Only absolute https links are kept; the text of the others stays.
 */
export function htmlToText(html: string): TextWithLinks {
  let text = html;
  const links: TextWithLinks['links'] = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const read = readHtml(text);
    links.push(...read.links);
    if (read.text === text) break;
    text = read.text;
    if (text.search(TAG_START) === -1) break;
  }
  const plain = text.replace(TAG_START, '');
  return { text: plain, links: links.filter((link) => plain.includes(link.text)) };
}

function readHtml(html: string): TextWithLinks {
  const links: TextWithLinks['links'] = [];
  let out = '';
  let silent = 0;
  let link: { href: string; from: number } | undefined;

  const closeLink = () => {
    const text = link ? out.slice(link.from).trim() : '';
    if (link && text) links.push({ text, href: link.href });
    link = undefined;
  };
  const write = (data: string) => {
    const collapsed = withoutControls(data).replace(/\s+/g, ' ');
    out += out === '' || out.endsWith(' ') ? collapsed.trimStart() : collapsed;
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (SILENT.has(name)) silent += 1;
      if (BLOCKS.has(name)) write(' ');
      if (name !== 'a') return;
      closeLink();
      const href = safeLink(attributes.href ?? '');
      if (href) link = { href, from: out.length };
    },
    onclosetag: (name) => {
      if (SILENT.has(name)) silent -= 1;
      if (name === 'a') closeLink();
      if (BLOCKS.has(name)) write(' ');
    },
    ontext: (data) => {
      if (silent === 0) write(data);
    },
  });
  parser.end(html);
  closeLink();
  return { text: out.trim(), links };
}

/** The address when it is absolute, https and without a user name that could pretend to be a host. */
function safeLink(href: string): string | undefined {
  const url = URL.parse(href.trim());
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : undefined;
}

/** Drops control characters and those that turn the direction of text around, which can disguise it. */
function withoutControls(text: string): string {
  return text.replace(/[^\S\n\r\t]|[\p{Cc}\p{Bidi_Control}]/gu, (found) => (/\s/.test(found) ? ' ' : ''));
}
