import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { endSession } from './user-data.ts';

/** Reads data of the signed-in user. A 401 ends the session of this tab; it is thrown, so that what is shown stays. */
export async function readUnlessSignedOut<Answer>(
  client: QueryClient,
  read: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) endSession(client);
    throw error;
  }
}
