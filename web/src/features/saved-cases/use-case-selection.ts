import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useState } from 'react';
import { useLatestSignal } from '../../api/use-latest-signal.ts';
import { readAllMatching } from '../../api/workspace.ts';
import { useErrorToast } from '../../components/toast/toast-provider.tsx';
import { afterChanges, takesOffList } from './undo-change.ts';

const NONE: ReadonlyMap<string, SavedCase> = new Map();

/**
 * Returns the selected cases by receipt number, also those that are not read yet, and what selects them. They follow what is
 * shown and what changes leave of them; other filters stop selecting all that fit.
 */
export function useCaseSelection(shown: readonly SavedCase[], query: Parameters<typeof readAllMatching>[0]) {
  const report = useErrorToast();
  const [selected, setSelected] = useState(NONE);
  // A selected case that is shown may have been changed on its card, or on another device.
  useEffect(() => {
    const byNumber = new Map(shown.map((one) => [one.receiptNumber, one]));
    setSelected((now) => new Map([...now].map(([number, one]) => [number, byNumber.get(number) ?? one])));
  }, [shown]);
  const nextSignal = useLatestSignal();
  const [isSelecting, setIsSelecting] = useState(false);
  const giveUpSelecting = useCallback(() => {
    nextSignal();
    setIsSelecting(false);
  }, [nextSignal]);
  const asked = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what fitted other filters is not selected.
  useEffect(() => giveUpSelecting, [asked]);

  const select = useCallback((some: readonly SavedCase[], isOn: boolean) => {
    setSelected((before) => {
      const after = new Map(before);
      for (const one of some) {
        if (isOn) after.set(one.receiptNumber, one);
        else after.delete(one.receiptNumber);
      }
      return after;
    });
  }, []);
  const selectMatching = async () => {
    const signal = nextSignal();
    setIsSelecting(true);
    try {
      const matches = await readAllMatching(query, signal);
      if (signal.aborted) return;
      select(matches, true);
    } catch (error) {
      if (signal.aborted) return;
      report(error, t`The cases could not be selected. Try again.`);
    }
    setIsSelecting(false);
  };
  const followChanges = (sent: readonly BulkChange[], results: readonly BulkOutcome[]) => {
    setSelected((now) => afterChanges(now, sent, results));
    if (sent.some(takesOffList)) giveUpSelecting();
  };
  const clear = () => {
    giveUpSelecting();
    setSelected(NONE);
  };

  return { selected, isSelecting, select, selectMatching, followChanges, clear };
}
