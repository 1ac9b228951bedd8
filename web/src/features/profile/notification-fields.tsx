import type { NotificationSettings, NotificationTiming } from '@casewatch/contracts/notification-choices';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type ReactNode, useId } from 'react';

const TIMING_NAMES: Record<NotificationTiming, MessageDescriptor> = {
  immediately: msg`Right away`,
  daily: msg`Daily digest`,
  weekly: msg`Weekly digest`,
  never: msg`Never`,
};

/** What each part of the form shows and changes. */
export interface DraftProps {
  draft: NotificationSettings;
  onChange: (changes: Partial<NotificationSettings>) => void;
}

/** Renders a control beneath its label; the control takes the id. */
export function ChannelField({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="notification-channel">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface ChoiceFieldProps<Value extends string | number> {
  label: string;
  /** Value and words of each choice. */
  options: readonly (readonly [Value, string])[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** Renders a labelled choice of one. */
export function ChoiceField<Value extends string | number>({
  label,
  options,
  value,
  onChoose,
}: ChoiceFieldProps<Value>) {
  return (
    <ChannelField label={label}>
      {(id) => (
        <select
          id={id}
          className="form-select"
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options.find(([one]) => String(one) === currentTarget.value);
            if (chosen) onChoose(chosen[0]);
          }}
        >
          {options.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </select>
      )}
    </ChannelField>
  );
}

interface TimingFieldProps<Timing extends NotificationTiming> {
  label: string;
  values: readonly Timing[];
  value: Timing;
  onChoose: (timing: Timing) => void;
}

/** Renders the choice of when a channel notifies. */
export function TimingField<Timing extends NotificationTiming>({
  values,
  ...field
}: TimingFieldProps<Timing>) {
  return <ChoiceField {...field} options={values.map((one) => [one, i18n._(TIMING_NAMES[one])] as const)} />;
}
