/** Returns an empty nickname is none. */
export function nicknameOf(given: string | null | undefined): string | null {
  return given?.trim() || null;
}
