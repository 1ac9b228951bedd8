import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { forgetUser } from './user-data.ts';

/** Reads data of the signed-in user; a 401 gives null and signs this tab out, with no message. */
export async function readUnlessSignedOut<Answer>(
  client: QueryClient,
  read: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    forgetUser(client);
    return null;
  }
}
