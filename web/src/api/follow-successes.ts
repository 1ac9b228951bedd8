import type { QueryClient } from '@tanstack/react-query';

/** Marks queries that a person asks for; all others are the app's own doing. */
export const ASKED_BY_PERSON = { askedByPerson: true } as const;

/**
 * Calls `onSuccess` with the time at which a user's action began that has now succeeded: a
 * change, or a query with `ASKED_BY_PERSON` as its `meta`. Returns a function that ends it.
 */
export function followSuccesses(client: QueryClient, onSuccess: (begunAtMs: number) => void): () => void {
  const begunAtMs = new Map<string, number>();
  const endQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || !event.query.meta?.askedByPerson) return;
    const { queryHash } = event.query;
    if (event.action.type === 'fetch') begunAtMs.set(queryHash, Date.now());
    const begun = begunAtMs.get(queryHash);
    if (event.action.type !== 'success' || event.action.manual || begun === undefined) return;
    begunAtMs.delete(queryHash);
    onSuccess(begun);
  });
  const endMutations = client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success')
      onSuccess(event.mutation.state.submittedAt);
  });
  return () => {
    endQueries();
    endMutations();
  };
}
