import type { SavedCase } from '@casewatch/contracts/cases';
import {
  MONITORING_FREQUENCIES,
  type MonitoringFrequency,
  TAG_MAX_LENGTH,
} from '@casewatch/contracts/limits';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { useOffline } from '../../api/offline.ts';
import { useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { FREQUENCY_NAMES } from './monitoring-field.tsx';
import { countCases, type useCaseChanges } from './use-case-changes.ts';

const ExportDialog = lazy(async () => ({
  default: (await import('../exports/export-dialog.tsx')).ExportDialog,
}));

interface BulkBarProps {
  selected: ReadonlyMap<string, SavedCase>;
  /** Cases that fit the filters, also those that are not read yet. */
  matching: number;
  changes: ReturnType<typeof useCaseChanges>;
  onSelectMatching: () => void;
  onClear: () => void;
  onProNeeded: (feature: string) => void;
  /** After an action; `leaves` when the cases are gone from the list. */
  onDone: (results: BulkOutcome[], what: string, leaves: boolean) => void;
}

/** What can be done with the selected cases at once. */
export function BulkBar({
  selected,
  matching,
  changes,
  onSelectMatching,
  onClear,
  onProNeeded,
  onDone,
}: BulkBarProps) {
  const { user } = useMe();
  const isOffline = useOffline();
  const [isAsking, setIsAsking] = useState(false);
  const [isExporting, setIsExporting] = useState(false);
  const receiptNumbers = [...selected.keys()];
  const isPro = user?.tier === 'pro';
  const areArchived = [...selected.values()].every(({ archivedAt }) => archivedAt !== null);

  const run = async (change: BulkChange, title: string, leaves = false) => {
    if (changes.isPending) return;
    const results = await changes.change(change, selected, title);
    if (results) onDone(results, title, leaves);
  };
  const check = async () => {
    if (changes.isPending) return;
    const results = await changes.check(receiptNumbers);
    if (results) onDone(results, 'Checked', false);
  };
  const setFrequency = (monitoringFrequency: MonitoringFrequency) => {
    if (monitoringFrequency !== 'none' && !isPro) return onProNeeded('Automated Monitoring');
    void run({ action: 'setFrequency', receiptNumbers, monitoringFrequency }, 'Monitoring changed');
  };

  return (
    <section className="card bulk-bar" aria-label="Selected cases">
      <p className="bulk-selected" role="status">
        {changes.isPending
          ? `Working on ${countCases(selected.size, '')}...`
          : countCases(selected.size, 'selected')}
      </p>
      {selected.size < matching && (
        <button type="button" className="btn btn-link btn-sm" onClick={onSelectMatching}>
          Select all {matching.toLocaleString('en-US')} matching
        </button>
      )}
      <button type="button" className="btn btn-link btn-sm" onClick={onClear}>
        Clear selection
      </button>
      {isOffline ? (
        <p>You are offline. Changing many cases at once needs a connection.</p>
      ) : (
        <div className="bulk-actions">
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            aria-disabled={changes.isPending}
            onClick={() => void check()}
          >
            Check now
          </button>
          <FrequencyAction onChoose={setFrequency} />
          <TagAction
            onAdd={(tags) => void run({ action: 'addTags', receiptNumbers, tags }, 'Tag added')}
            onRemove={(tags) => void run({ action: 'removeTags', receiptNumbers, tags }, 'Tag removed')}
          />
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            onClick={() => (isPro ? setIsExporting(true) : onProNeeded('Export of case data'))}
          >
            Export selected
          </button>
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            aria-disabled={changes.isPending}
            onClick={() =>
              void run(
                { action: areArchived ? 'unarchive' : 'archive', receiptNumbers },
                areArchived ? 'Moved out of the archive' : 'Archived',
                true,
              )
            }
          >
            {areArchived ? 'Unarchive' : 'Archive'}
          </button>
          <button
            type="button"
            className="btn btn-outline-danger btn-sm"
            aria-disabled={changes.isPending}
            onClick={() => setIsAsking(true)}
          >
            Remove
          </button>
        </div>
      )}
      {isExporting && (
        <Suspense fallback={null}>
          <ExportDialog receiptNumbers={receiptNumbers} onHide={() => setIsExporting(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        show={isAsking}
        title={`Remove ${countCases(selected.size, '')}?`}
        confirmLabel="Remove"
        destructive
        onHide={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          void run({ action: 'remove', receiptNumbers }, 'Cases removed', true);
        }}
      >
        <p className="removal-words">You can restore them for 30 days from Recently removed.</p>
      </ConfirmDialog>
    </section>
  );
}

/** A choice that is made by its button alone, so that arrow keys change nothing before. */
function FrequencyAction({ onChoose }: { onChoose: (frequency: MonitoringFrequency) => void }) {
  const id = useId();
  const [frequency, setFrequency] = useState<MonitoringFrequency>('daily');
  return (
    <form
      className="bulk-action"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(frequency);
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        Monitoring of the selected cases
      </label>
      <select
        id={id}
        className="form-select form-select-sm"
        value={frequency}
        onChange={({ currentTarget }) =>
          setFrequency(MONITORING_FREQUENCIES.find((one) => one === currentTarget.value) ?? 'none')
        }
      >
        {MONITORING_FREQUENCIES.map((one) => (
          <option key={one} value={one}>
            {FREQUENCY_NAMES[one]}
          </option>
        ))}
      </select>
      <button type="submit" className="btn btn-outline-secondary btn-sm">
        Set monitoring
      </button>
    </form>
  );
}

function TagAction({
  onAdd,
  onRemove,
}: {
  onAdd: (tags: string[]) => void;
  onRemove: (tags: string[]) => void;
}) {
  const id = useId();
  const [tag, setTag] = useState('');
  const act = (run: (tags: string[]) => void) => {
    if (tag.trim() !== '') run([tag.trim()]);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    act(onAdd);
  };
  return (
    <form className="bulk-action" onSubmit={add}>
      <label className="visually-hidden" htmlFor={id}>
        Tag for the selected cases
      </label>
      <input
        id={id}
        className="form-control form-control-sm"
        placeholder="Tag"
        autoComplete="off"
        maxLength={TAG_MAX_LENGTH}
        value={tag}
        onChange={({ currentTarget }) => setTag(currentTarget.value)}
      />
      <button type="submit" className="btn btn-outline-secondary btn-sm">
        Add tag
      </button>
      <button type="button" className="btn btn-outline-secondary btn-sm" onClick={() => act(onRemove)}>
        Remove tag
      </button>
    </form>
  );
}
