/** Returns the nickname; an empty one is none. */
export function nicknameOf(given: string | null | undefined): string | null {
  return given?.trim() || null;
}
