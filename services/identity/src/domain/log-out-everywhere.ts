import type { Identity } from './identity.ts';

/** Ends every session of the account, this one too. */
export async function logOutEverywhere({ store }: Identity, userId: string): Promise<void> {
  await store.sessions.endAllOf(userId);
}
