import { parseUrl } from './web-address.ts';

/** A stretch of text; with `href` it is a link. */
export interface TextPart {
  text: string;
  href?: string;
}

/**
 * Cuts `text` at its links, which come in order. A link that is not https, or whose words don't occur after the
 * link before it, stays plain text: nothing of the description is ever lost.
 */
export function linkedText(text: string, links: readonly { text: string; href: string }[]): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const link of links) {
    const at = link.text === '' ? -1 : text.indexOf(link.text, from);
    if (at === -1 || !isHttps(link.href)) continue;
    if (at > from) parts.push({ text: text.slice(from, at) });
    parts.push({ text: link.text, href: link.href });
    from = at + link.text.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function isHttps(href: string): boolean {
  return parseUrl(href)?.protocol === 'https:';
}
