/** What is said of tags here needs no schema, so that the web app can say it too. */

const SPACES = /\s+/g;

/**
 * Returns the tags without empty ones and without those that another spelling of the same tag came before. Each is in the form of Unicode
 * that most keyboards write (NFC), with single spaces.
 */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags.map(tidy)) {
    if (tag !== '' && !byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
  }
  return [...byKey.values()];
}

/** Returns what the spellings of one tag have in common: case, spaces, width and the way an accent is stored are no difference. */
export const tagKey = (tag: string) => tidy(tag.normalize('NFKC')).toLowerCase();

const tidy = (tag: string) => tag.normalize('NFC').replace(SPACES, ' ').trim();
