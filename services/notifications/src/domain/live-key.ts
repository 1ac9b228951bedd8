/** Separates what changed from its user; no id contains it. */
const SEPARATOR = ' ';
const CASES = 'cases';

/** What a signal says: whose notifications are new, or whose saved cases were changed. */
export interface LiveKey {
  userId: string;
  isAboutCases: boolean;
}

/** Returns the key of a signal about saved cases; one about notifications is the user's id. */
export function casesKey(userId: string): string {
  return `${CASES}${SEPARATOR}${userId}`;
}

export function readLiveKey(key: string): LiveKey {
  const isAboutCases = key.startsWith(CASES + SEPARATOR);
  return { userId: isAboutCases ? key.slice(CASES.length + SEPARATOR.length) : key, isAboutCases };
}

/** Returns the users of these changes, each once. */
export function usersOf(changes: readonly { userId: string }[]): string[] {
  return [...new Set(changes.map(({ userId }) => userId))];
}
