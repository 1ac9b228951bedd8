import { Tokenizer } from 'htmlparser2';

export interface TextWithLinks {
  text: string;
  /** In order, at most 50; `text` occurs in the whole text, `href` is an https address on an allowed host. */
  links: { text: string; href: string }[];
}

/** HTML within HTML is unwrapped this often; text that still looks like a tag then loses its brackets. */
const PASSES = 3;
const MAX_LINKS = 50;
const MAX_LINK_TEXT = 300;
const LOOKS_LIKE_TAG = /<[a-z/!?]/i;
const BLOCKS = new Set(
  'address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const SILENT = new Set('script style template noscript iframe object svg math title'.split(' '));

/**
 * Converts HTML to plain text: decodes entities, collapses white space, drops scripts and styles, and lists the links
 * whose host is one of `linkHosts` or below one; the text of other links stays. No tag comes out, whatever comes in.
 * With one of `passes`, entities are decoded once. Time and memory grow linearly with the input: tokens are not put into a tree, and nothing is scanned twice in a pass.
 */
export function htmlToText(html: string, linkHosts: readonly string[], passes = PASSES): TextWithLinks {
  let text = html;
  const links: TextWithLinks['links'] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    const read = readHtml(text, linkHosts);
    links.push(...read.links);
    text = read.text;
    if (!LOOKS_LIKE_TAG.test(text)) break;
  }
  if (LOOKS_LIKE_TAG.test(text)) text = text.replaceAll('<', '');
  return { text, links: links.slice(0, MAX_LINKS).filter((link) => text.includes(link.text)) };
}

/** Reads the tokens of one level of HTML. htmlparser2's `Parser` is not used: its stack of open tags takes quadratic time. */
function readHtml(html: string, linkHosts: readonly string[]): TextWithLinks {
  const links: TextWithLinks['links'] = [];
  let out = '';
  /** How many tags whose content is not shown are open. */
  let silent = 0;
  let tag = '';
  let attribute = '';
  let value = '';
  let href: string | undefined;
  let link: { href: string; text: string } | undefined;

  const write = (data: string) => {
    if (silent > 0) return;
    out += data;
    if (link) link.text += data;
  };
  const closeLink = () => {
    const text = link ? clean(link.text) : '';
    if (link && text && text.length <= MAX_LINK_TEXT) links.push({ text, href: link.href });
    link = undefined;
  };
  const openTag = () => {
    if (SILENT.has(tag)) silent += 1;
    if (BLOCKS.has(tag)) write(' ');
    if (tag !== 'a') return;
    closeLink();
    const allowed = allowedLink(href ?? '', linkHosts);
    if (allowed) link = { href: allowed, text: '' };
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        href = undefined;
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (attribute === 'href') href ??= value;
      },
      onopentagend: openTag,
      onselfclosingtag: () => {
        // Only SVG and MathML close themselves; in other elements the slash means nothing.
        if (tag !== 'svg' && tag !== 'math') openTag();
      },
      onclosetag: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        if (SILENT.has(name) && silent > 0) silent -= 1;
        if (name === 'a') closeLink();
        if (BLOCKS.has(name)) write(' ');
      },
      ontext: (start, end) => write(html.slice(start, end)),
      ontextentity: (codePoint) => write(String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: closeLink,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { text: clean(out), links };
}

const ignore = () => undefined;

/** Drops control characters and those that change the direction of text, which can disguise it, and collapses white space. */
function clean(text: string): string {
  return text
    .replace(/[[\p{Cc}\p{Bidi_Control}]--\s]+/gv, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed();
}

/**
 * Returns the normalized address when a link may be shown: absolute, https, no user name, no port, and a host that is
 * one of `hosts` or a subdomain of one. Look-alike names in other scripts become `xn--…` in `URL` and match none.
 */
export function allowedLink(href: string, hosts: readonly string[]): string | undefined {
  const url = URL.parse(href);
  if (url?.protocol !== 'https:' || url.username || url.password || url.port) return undefined;
  return hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
    ? url.href
    : undefined;
}
