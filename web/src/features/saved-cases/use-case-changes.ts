import type { SavedCase } from '@casewatch/contracts/cases';
import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { plural, t } from '@lingui/core/macro';
import { hasCode } from '../../api/api-error.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { useMe } from '../../api/session.ts';
import { useChangeCases, useCheckCases } from '../../api/workspace.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { serverText } from '../../lib/server-texts.ts';
import { inParts, undoOf } from './undo-change.ts';

/**
 * Changes saved cases, says how that went, and offers to take it back. `onChanged` gets what was sent, and what came of it:
 * also of what takes a change back.
 */
export function useCaseChanges(
  onChanged?: (changes: readonly BulkChange[], results: readonly BulkOutcome[]) => void,
) {
  const { mutateAsync, isPending } = useChangeCases();
  const check = useCheckCases();
  const { user } = useMe();
  const toast = useToast();

  const fail = (description: string, error: unknown) =>
    toast({ title: t`Error`, description, variant: 'destructive', error });

  /** Undefined when nothing was changed because the request failed. */
  const send = async (changes: readonly BulkChange[]): Promise<BulkOutcome[] | undefined> => {
    try {
      const results = await mutateAsync(changes);
      onChanged?.(changes, results);
      return results;
    } catch (error) {
      const isPlan = hasCode(error, 'PRO_REQUIRED');
      fail(
        isPlan
          ? (error.serverMessage ?? t`This needs Pro.`)
          : `${t`The cases could not be changed.`} ${retryAdvice(error)}`,
        error,
      );
      return undefined;
    }
  };

  const undo = async (changes: readonly BulkChange[]) => {
    const results = await send(changes);
    if (!results) return;
    const refused = results.filter(({ outcome }) => outcome === 'refused');
    const [first] = refused;
    if (!first) return toast({ title: countCases(results.length, 'undone') });
    const isRestore = changes.every(({ action }) => action === 'restore');
    const restorable = plural(refused.length, {
      one: 'You can restore # case from Recently removed.',
      other: 'You can restore # cases from Recently removed.',
    });
    toast({
      title: refused.length === results.length ? t`Couldn’t undo` : t`Partly undone`,
      description: [first && serverText(first), isRestore ? restorable : undefined].filter(Boolean).join(' '),
      variant: 'destructive',
    });
  };

  return {
    isPending: isPending || check.isPending,
    undo,
    send,
    /** Changes the cases alike; resolves to what came of it and what takes it back. */
    async change(change: BulkChange, cases: ReadonlyMap<string, SavedCase>, done: string) {
      const results = await send(inParts(change));
      if (!results) return undefined;
      const undoing = undoOf(change, cases, results);
      const takeBack = undoing.length > 0 ? () => void undo(undoing) : undefined;
      return { title: outcomeTitle(results, done), results, takeBack };
    },
    async check(receiptNumbers: readonly string[]) {
      try {
        return await check.mutateAsync({
          receiptNumbers,
          atOnce: user?.tier === 'pro' ? BULK_SEARCH_MAX : 1,
        });
      } catch (error) {
        fail(`${t`The cases could not be checked.`} ${retryAdvice(error)}`, error);
        return undefined;
      }
    },
  };
}

/** Returns what was done, unless no case took it. */
function outcomeTitle(results: readonly BulkOutcome[], done: string): string {
  return areAllRefused(results) ? t`Couldn’t change` : done;
}

function areAllRefused(results: readonly BulkOutcome[]): boolean {
  return results.every(({ outcome }) => outcome === 'refused');
}

/** Returns how many changed, were so already, and were refused. */
export function outcomeText(results: readonly BulkOutcome[], done: CaseCount): string {
  const count = (outcome: BulkOutcome['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const parts = [
    countCases(count('changed'), done),
    ...(count('unchanged') > 0
      ? [plural(count('unchanged'), { one: '# unchanged', other: '# unchanged' })]
      : []),
    ...(count('refused') > 0 ? [plural(count('refused'), { one: '# failed', other: '# failed' })] : []),
  ];
  return parts.join(', ');
}

const CASE_COUNTS = {
  '': (count: number) => plural(count, { one: '# case', other: '# cases' }),
  selected: (count: number) => plural(count, { one: '# case selected', other: '# cases selected' }),
  saved: (count: number) => plural(count, { one: '# case saved', other: '# cases saved' }),
  updated: (count: number) => plural(count, { one: '# case updated', other: '# cases updated' }),
  restored: (count: number) => plural(count, { one: '# case restored', other: '# cases restored' }),
  undone: (count: number) => plural(count, { one: 'Undone for # case', other: 'Undone for # cases' }),
  'in the archive': (count: number) =>
    plural(count, { one: '# case in the archive', other: '# cases in the archive' }),
};
type CaseCount = keyof typeof CASE_COUNTS;

/** Returns how many cases, and the text about them: whole phrases, since a language may change the noun, the verb or both. */
export function countCases(count: number, what: CaseCount): string {
  return CASE_COUNTS[what](count);
}
