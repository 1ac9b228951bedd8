/** Parses a URL; undefined for what is none. `URL.canParse` and `URL.parse` are newer than the oldest browsers that we support. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns true for an absolute address of a web page: a link or a navigation to it runs no script in this page. */
export function isWebAddress(text: string): boolean {
  const protocol = parseUrl(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
