const MARK = 'casewatch:kept';
/** Whose push messages this browser gets: a browser that another user signs in to does not subscribe by itself. */
export const PUSH_USER_KEY = 'casewatch-push-user';

/** Returns whether this device keeps something of a user: known at once, so that nothing is loaded to find out. */
export const isMarked = (): boolean => isStored(MARK);

/** Returns whether this device gets push messages of a user. */
export const getsPushes = (): boolean => isStored(PUSH_USER_KEY);

function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

export function setMark(isKept: boolean): void {
  try {
    if (isKept) localStorage.setItem(MARK, '1');
    else localStorage.removeItem(MARK);
  } catch {
    // Storage is forbidden: nothing is kept either.
  }
}
