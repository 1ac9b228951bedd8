/** Returns what was typed as the email address on the screen before, as it is handed on by `state` of a navigation. */
export function typedEmail(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('email' in state)) return '';
  return typeof state.email === 'string' ? state.email : '';
}

/** Returns false when the link was not copied as a whole. */
export const isWholeToken = (token: string): boolean => /^[\w-]{43}$/.test(token);
