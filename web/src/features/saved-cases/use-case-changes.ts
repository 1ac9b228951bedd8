import type { SavedCase } from '@casewatch/contracts/cases';
import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { hasCode } from '../../api/api-error.ts';
import { useMe } from '../../api/session.ts';
import { useChangeCases, useCheckCases } from '../../api/workspace.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { inParts, undoOf } from './undo-change.ts';

/** Changes saved cases, says how that went, and offers to take it back. */
export function useCaseChanges() {
  const { mutateAsync, isPending } = useChangeCases();
  const check = useCheckCases();
  const { user } = useMe();
  const toast = useToast();

  const fail = (description: string, error: unknown) =>
    toast({ title: 'Error', description, variant: 'destructive', error });

  /** Undefined when nothing was changed because the request failed. */
  const send = async (changes: readonly BulkChange[]): Promise<BulkOutcome[] | undefined> => {
    try {
      return await mutateAsync(changes);
    } catch (error) {
      const isPlan = hasCode(error, 'PRO_REQUIRED');
      fail(
        isPlan
          ? (error.serverMessage ?? 'This needs Pro.')
          : 'The cases could not be changed. Check your connection and try again.',
        error,
      );
      return undefined;
    }
  };

  const undo = async (changes: readonly BulkChange[]) => {
    const results = await send(changes);
    if (!results) return;
    const refused = results.filter(({ outcome }) => outcome === 'refused');
    if (refused.length === 0)
      return toast({ title: 'Undone', description: countCases(results.length, 'as before') });
    const isRestore = changes.every(({ action }) => action === 'restore');
    toast({
      title: refused.length === results.length ? 'Not undone' : 'Undone in part',
      description: `${refused[0]?.error ?? ''}${isRestore ? ` Nothing is lost: ${countCases(refused.length, 'can be restored')} from Recently removed.` : ''}`,
      variant: 'destructive',
    });
  };

  return {
    isPending: isPending || check.isPending,
    undo,
    send,
    /** Changes the cases alike; `title` begins the message of success. */
    async change(change: BulkChange, cases: ReadonlyMap<string, SavedCase>, title: string) {
      const results = await send(inParts(change));
      if (!results) return undefined;
      const undoing = undoOf(change, cases, results);
      toast({
        title,
        description: outcomeText(results),
        ...(undoing.length > 0 ? { action: { label: 'Undo', run: () => void undo(undoing) } } : {}),
      });
      return results;
    },
    async check(receiptNumbers: readonly string[]) {
      try {
        return await check.mutateAsync({
          receiptNumbers,
          atOnce: user?.tier === 'pro' ? BULK_SEARCH_MAX : 1,
        });
      } catch (error) {
        fail('The cases could not be checked. Check your connection and try again.', error);
        return undefined;
      }
    },
  };
}

/** How many changed, were so already, and were refused. */
export function outcomeText(results: readonly BulkOutcome[], done = 'changed'): string {
  const count = (outcome: BulkOutcome['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const parts = [
    countCases(count('changed'), done),
    ...(count('unchanged') > 0 ? [`${count('unchanged')} already so`] : []),
    ...(count('refused') > 0 ? [`${count('refused')} failed`] : []),
  ];
  return parts.join(', ');
}

export function countCases(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'case' : 'cases'} ${what}`.trim();
}
