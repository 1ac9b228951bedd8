import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkChange } from '@casewatch/contracts/workspace';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useOffline } from '../../api/offline.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { count } from '../../lib/format-number.ts';
import { BulkActions } from './bulk-actions.tsx';
import type { BulkResult } from './bulk-outcomes.tsx';
import { countCases, type useCaseChanges } from './use-case-changes.ts';

const ExportDialog = lazy(async () => ({
  default: (await import('../exports/export-dialog.tsx')).ExportDialog,
}));

interface BulkBarProps {
  selected: ReadonlyMap<string, SavedCase>;
  /** Cases that fit the filters, also those that are not read yet. */
  matching: number;
  changes: ReturnType<typeof useCaseChanges>;
  /** While the cases that fit are read. */
  isSelecting: boolean;
  /** Tags that the cases have. */
  tags: readonly string[];
  onSelectMatching: () => void;
  onClear: () => void;
  onProNeeded: (feature: string) => void;
  onDone: (result: BulkResult) => void;
}

/** Renders what can be done with the selected cases at once. */
export function BulkBar({
  selected,
  matching,
  changes,
  isSelecting,
  tags,
  onSelectMatching,
  onClear,
  onProNeeded,
  onDone,
}: BulkBarProps) {
  const isOffline = useOffline();
  const [isAsking, setIsAsking] = useState(false);
  const [isExporting, setIsExporting] = useState(false);
  const receiptNumbers = [...selected.keys()];

  const run = async (change: BulkChange, title: string) => {
    if (changes.isPending) return;
    const done = await changes.change(change, selected, title);
    if (done) onDone(done);
  };
  const check = async () => {
    if (changes.isPending) return;
    const results = await changes.check(receiptNumbers);
    if (results) onDone({ title: t`Checked`, results, takeBack: undefined });
  };

  return (
    <section className="card bulk-bar" aria-label={t`Selected cases`}>
      <p className="bulk-selected" role="status">
        {changes.isPending
          ? plural(selected.size, { one: 'Working on # case...', other: 'Working on # cases...' })
          : countCases(selected.size, 'selected')}
      </p>
      {selected.size < matching && (
        <button
          type="button"
          className="btn btn-link btn-sm"
          aria-disabled={isSelecting}
          onClick={() => !isSelecting && onSelectMatching()}
        >
          {isSelecting ? t`Selecting...` : <Trans>Select all {count(matching)} matching</Trans>}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t`Clear selection`} onClick={onClear}>
        <Icon name="x" size={16} />
      </button>
      {isOffline ? (
        <p>
          <Trans>You are offline. Changing many cases at once needs a connection.</Trans>
        </p>
      ) : (
        <BulkActions
          receiptNumbers={receiptNumbers}
          areArchived={[...selected.values()].every(({ archivedAt }) => archivedAt !== null)}
          isPending={changes.isPending}
          tags={tags}
          onChange={(change, title) => void run(change, title)}
          onCheck={() => void check()}
          onExport={() => setIsExporting(true)}
          onRemove={() => setIsAsking(true)}
          onProNeeded={onProNeeded}
        />
      )}
      {isExporting && (
        <Suspense fallback={null}>
          <ExportDialog receiptNumbers={receiptNumbers} onHide={() => setIsExporting(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        show={isAsking}
        title={plural(selected.size, { one: 'Remove # case?', other: 'Remove # cases?' })}
        confirmLabel={t`Remove`}
        destructive
        onHide={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          void run({ action: 'remove', receiptNumbers }, t`Cases removed`);
        }}
      >
        <p className="removal-words">
          <Trans>You can restore them for 30 days from Recently removed.</Trans>
        </p>
      </ConfirmDialog>
    </section>
  );
}
