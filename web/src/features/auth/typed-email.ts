/** What was typed as the email address on the screen before, as it is handed on by `state` of a navigation. */
export function typedEmail(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('email' in state)) return '';
  return typeof state.email === 'string' ? state.email : '';
}

/** The token of a link: what follows the #. Undefined when the link was not copied as a whole. */
export function linkToken(hash: string): string | undefined {
  return /^#([\w-]{43})$/.exec(hash)?.[1];
}
