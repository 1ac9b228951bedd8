import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { useRef } from 'react';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import { MonitoringField } from './monitoring-field.tsx';
import { SavedCaseCard } from './saved-case-card.tsx';
import { useCaseRemoval } from './use-case-removal.tsx';

interface SavedCaseListProps {
  savedCases: readonly SavedCase[];
  watches: ReadWatches | undefined;
  selected: ReadonlyMap<string, SavedCase>;
  onSelect: (cases: readonly SavedCase[], isOn: boolean) => void;
  onProNeeded: (feature: string) => void;
}

/** Renders one card per saved case. A removal is asked about first and can be undone; afterwards the focus is on the list. */
export function SavedCaseList({ savedCases, watches, selected, onSelect, onProNeeded }: SavedCaseListProps) {
  const list = useRef<HTMLUListElement>(null);
  const removal = useCaseRemoval({
    onRemoved: (removed) => onSelect([removed], false),
    onExited: () => list.current?.focus({ preventScroll: true }),
  });

  return (
    <>
      <ul className="saved-case-list" ref={list} tabIndex={-1} aria-label={t`Saved Cases`}>
        {savedCases.map((savedCase) => (
          <li key={savedCase.id}>
            <SavedCaseCard
              savedCase={savedCase}
              monitoring={
                <MonitoringField savedCase={savedCase} watches={watches} onProNeeded={onProNeeded} />
              }
              isSelected={selected.has(savedCase.receiptNumber)}
              onSelect={(isOn) => onSelect([savedCase], isOn)}
              onRemove={() => removal.ask(savedCase)}
            />
          </li>
        ))}
      </ul>
      {removal.dialog}
    </>
  );
}
