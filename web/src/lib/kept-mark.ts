const MARK = 'casewatch:kept';

/** Whether this device keeps something of a user: known at once, so that nothing is loaded to find out. */
export function isMarked(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
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
