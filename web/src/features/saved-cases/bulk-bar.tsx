import type { SavedCase } from '@casewatch/contracts/cases';
import {
  MONITORING_FREQUENCIES,
  type MonitoringFrequency,
  TAG_MAX_LENGTH,
} from '@casewatch/contracts/limits';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { useOffline } from '../../api/offline.ts';
import { useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { count } from '../../lib/format-number.ts';
import { usePageClass } from '../../lib/use-page-class.ts';
import { FREQUENCY_NAMES } from './monitoring-field.tsx';
import { SNOOZE_CHOICES, snoozeEnd } from './snooze-field.tsx';
import { countCases, outcomeTitle, type useCaseChanges } from './use-case-changes.ts';

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
  onSelectMatching: () => void;
  onClear: () => void;
  onProNeeded: (feature: string) => void;
  onDone: (results: BulkOutcome[], what: string) => void;
}

/** Renders what can be done with the selected cases at once. */
export function BulkBar({
  selected,
  matching,
  changes,
  isSelecting,
  onSelectMatching,
  onClear,
  onProNeeded,
  onDone,
}: BulkBarProps) {
  const { user } = useMe();
  usePageClass('with-bulk-bar');
  const isOffline = useOffline();
  const [isAsking, setIsAsking] = useState(false);
  const [isExporting, setIsExporting] = useState(false);
  const receiptNumbers = [...selected.keys()];
  const isPro = user?.tier === 'pro';
  const areArchived = [...selected.values()].every(({ archivedAt }) => archivedAt !== null);

  const run = async (change: BulkChange, title: string) => {
    if (changes.isPending) return;
    const results = await changes.change(change, selected, title);
    if (results) onDone(results, outcomeTitle(results, title));
  };
  const check = async () => {
    if (changes.isPending) return;
    const results = await changes.check(receiptNumbers);
    if (results) onDone(results, t`Checked`);
  };
  const setFrequency = (monitoringFrequency: MonitoringFrequency) => {
    if (monitoringFrequency !== 'none' && !isPro) return onProNeeded(t`Automated Monitoring`);
    void run({ action: 'setFrequency', receiptNumbers, monitoringFrequency }, t`Monitoring changed`);
  };
  const snooze = (days: number) => {
    const snoozedUntil = snoozeEnd(days);
    const title = snoozedUntil === null ? t`Alerts come again` : t`Snoozed until ${formatDay(snoozedUntil)}`;
    void run({ action: 'snooze', receiptNumbers, snoozedUntil }, title);
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
      <button type="button" className="btn btn-link btn-sm" onClick={onClear}>
        <Trans>Clear selection</Trans>
      </button>
      {isOffline ? (
        <p>
          <Trans>You are offline. Changing many cases at once needs a connection.</Trans>
        </p>
      ) : (
        <div className="bulk-actions">
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            aria-disabled={changes.isPending}
            onClick={() => void check()}
          >
            <Trans>Check now</Trans>
          </button>
          <ChoiceAction
            label={t`Monitoring of the selected cases`}
            action={t`Set monitoring`}
            choices={MONITORING_FREQUENCIES.map((one) => [one, i18n._(FREQUENCY_NAMES[one])] as const)}
            first="daily"
            isPending={changes.isPending}
            onChoose={setFrequency}
          />
          <ChoiceAction
            label={t`Snooze alerts of the selected cases, except those that need action`}
            action={t`Snooze`}
            choices={[
              ...SNOOZE_CHOICES.map(([days, name]) => [days, i18n._(name)] as const),
              [0, t`Not snoozed`] as const,
            ]}
            first={SNOOZE_CHOICES[0][0]}
            isPending={changes.isPending}
            onChoose={snooze}
          />
          <TagAction
            isPending={changes.isPending}
            onAdd={(tags) => void run({ action: 'addTags', receiptNumbers, tags }, t`Tag added`)}
            onRemove={(tags) => void run({ action: 'removeTags', receiptNumbers, tags }, t`Tag removed`)}
          />
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            onClick={() => (isPro ? setIsExporting(true) : onProNeeded(t`Export of case data`))}
          >
            <Trans>Export selected</Trans>
          </button>
          <button
            type="button"
            className="btn btn-outline-secondary btn-sm"
            aria-disabled={changes.isPending}
            onClick={() =>
              void run(
                { action: areArchived ? 'unarchive' : 'archive', receiptNumbers },
                areArchived ? t`Moved out of the archive` : t`Archived`,
              )
            }
          >
            {areArchived ? t`Unarchive` : t`Archive`}
          </button>
          <button
            type="button"
            className="btn btn-outline-danger btn-sm"
            aria-disabled={changes.isPending}
            onClick={() => setIsAsking(true)}
          >
            <Trans>Remove</Trans>
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

interface ChoiceActionProps<Value extends string | number> {
  label: string;
  /** The button's words. */
  action: string;
  choices: readonly (readonly [Value, string])[];
  first: Value;
  /** While an action is in progress the button rests. */
  isPending: boolean;
  onChoose: (value: Value) => void;
}

/** A choice that is made by its button alone, so that arrow keys change nothing before. */
function ChoiceAction<Value extends string | number>({
  label,
  action,
  choices,
  first,
  isPending,
  onChoose,
}: ChoiceActionProps<Value>) {
  const id = useId();
  const [value, setValue] = useState(first);
  return (
    <form
      className="bulk-action"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(value);
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="form-select form-select-sm"
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = choices.find(([one]) => String(one) === currentTarget.value);
          if (chosen) setValue(chosen[0]);
        }}
      >
        {choices.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="btn btn-outline-secondary btn-sm" aria-disabled={isPending}>
        {action}
      </button>
    </form>
  );
}

function TagAction({
  isPending,
  onAdd,
  onRemove,
}: {
  isPending: boolean;
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
        <Trans>Tag for the selected cases</Trans>
      </label>
      <input
        id={id}
        className="form-control form-control-sm"
        placeholder={t`Tag`}
        autoComplete="off"
        maxLength={TAG_MAX_LENGTH}
        value={tag}
        onChange={({ currentTarget }) => setTag(currentTarget.value)}
      />
      <button type="submit" className="btn btn-outline-secondary btn-sm" aria-disabled={isPending}>
        <Trans>Add tag</Trans>
      </button>
      <button
        type="button"
        className="btn btn-outline-secondary btn-sm"
        aria-disabled={isPending}
        onClick={() => act(onRemove)}
      >
        <Trans>Remove tag</Trans>
      </button>
    </form>
  );
}
