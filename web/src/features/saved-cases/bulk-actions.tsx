import {
  MONITORING_FREQUENCIES,
  type MonitoringFrequency,
  TAG_MAX_LENGTH,
} from '@casewatch/contracts/limits';
import type { BulkChange } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useId, useState } from 'react';
import { useMe } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { FREQUENCY_NAMES } from './monitoring-field.tsx';
import { SNOOZE_CHOICES, snoozeEnd } from './snooze-field.tsx';

interface BulkActionsProps {
  receiptNumbers: string[];
  areArchived: boolean;
  /** While an action is in progress the buttons rest. */
  isPending: boolean;
  onChange: (change: BulkChange, title: string) => void;
  onCheck: () => void;
  onExport: () => void;
  onRemove: () => void;
  onProNeeded: (feature: string) => void;
}

/** Renders the actions on the selected cases. */
export function BulkActions({
  receiptNumbers,
  areArchived,
  isPending,
  onChange,
  onCheck,
  onExport,
  onRemove,
  onProNeeded,
}: BulkActionsProps) {
  const { user } = useMe();
  const isPro = user?.tier === 'pro';
  const setFrequency = (monitoringFrequency: MonitoringFrequency) => {
    if (monitoringFrequency !== 'none' && !isPro) return onProNeeded(t`Automated Monitoring`);
    onChange({ action: 'setFrequency', receiptNumbers, monitoringFrequency }, t`Monitoring changed`);
  };
  const snooze = (days: number) => {
    const snoozedUntil = snoozeEnd(days);
    const title = snoozedUntil === null ? t`Alerts are back on` : t`Snoozed until ${formatDay(snoozedUntil)}`;
    onChange({ action: 'snooze', receiptNumbers, snoozedUntil }, title);
  };

  return (
    <div className="bulk-actions">
      <Button aria-disabled={isPending} onClick={onCheck}>
        <Trans>Check now</Trans>
      </Button>
      <ChoiceAction
        label={t`Monitoring of the selected cases`}
        action={t`Set monitoring`}
        choices={MONITORING_FREQUENCIES.map((one) => [one, i18n._(FREQUENCY_NAMES[one])] as const)}
        first="daily"
        isPending={isPending}
        onChoose={setFrequency}
      />
      <ChoiceAction
        label={t`Snooze alerts of the selected cases, except those that need action`}
        action={t`Snooze`}
        choices={[
          ...SNOOZE_CHOICES.map(([days, name]) => [days, i18n._(name)] as const),
          [0, t`Don't snooze`] as const,
        ]}
        first={SNOOZE_CHOICES[0][0]}
        isPending={isPending}
        onChoose={snooze}
      />
      <TagAction
        isPending={isPending}
        onAdd={(tags) => onChange({ action: 'addTags', receiptNumbers, tags }, t`Tag added`)}
        onRemove={(tags) => onChange({ action: 'removeTags', receiptNumbers, tags }, t`Tag removed`)}
      />
      <Button onClick={() => (isPro ? onExport() : onProNeeded(t`Export of case data`))}>
        <Trans>Export selected</Trans>
      </Button>
      <Button
        aria-disabled={isPending}
        onClick={() =>
          onChange(
            { action: areArchived ? 'unarchive' : 'archive', receiptNumbers },
            areArchived ? t`Moved out of the archive` : t`Archived`,
          )
        }
      >
        {areArchived ? t`Unarchive` : t`Archive`}
      </Button>
      <button
        type="button"
        className="btn btn-outline-danger btn-sm"
        aria-disabled={isPending}
        onClick={onRemove}
      >
        <Trans>Remove</Trans>
      </button>
    </div>
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
      <Button aria-disabled={isPending} onClick={() => act(onRemove)}>
        <Trans>Remove tag</Trans>
      </Button>
    </form>
  );
}
