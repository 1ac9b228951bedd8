import type { NotificationSettings, NotificationTiming } from '@casewatch/contracts/notification-choices';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { type ReactNode, useId } from 'react';
import type { NotificationChanges } from '../../api/notification-preferences.ts';

const TIMING_NAMES: Record<NotificationTiming, MessageDescriptor> = {
  immediately: msg`Right away`,
  daily: msg`Daily digest`,
  weekly: msg`Weekly digest`,
  never: msg`Never`,
};

/** What each part of the section shows and changes. */
export interface SettingsProps {
  settings: NotificationSettings;
  onChange: (changes: NotificationChanges) => void;
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
  /** The language of the words, where it is not that of the page. */
  lang?: 'en';
}

/** Renders a labelled choice of one. */
export function ChoiceField<Value extends string | number>({
  label,
  options,
  value,
  onChoose,
  lang,
}: ChoiceFieldProps<Value>) {
  return (
    <ChannelField label={label}>
      {(id) => (
        <select
          id={id}
          lang={lang}
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

/** Renders one cell of the grid: a switch, and once it is on, when the channel notifies where that can be chosen. */
export function ChannelSwitch<Timing extends NotificationTiming>({
  label,
  values,
  value,
  onChoose,
}: TimingFieldProps<Timing | 'never'>) {
  const id = useId();
  const isOn = value !== 'never';
  const first = values[0];
  const timings = values.filter((one) => one !== 'never');
  return (
    <div className="notification-channel">
      <label className="notification-channel-name" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="choice-input"
        aria-checked={isOn}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => first && onChoose(checked ? first : 'never')}
      />
      {isOn && timings.length > 1 && (
        <select
          className="form-select form-select-sm"
          aria-label={t`${label}: when`}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = timings.find((one) => one === currentTarget.value);
            if (chosen) onChoose(chosen);
          }}
        >
          {timings.map((one) => (
            <option key={one} value={one}>
              {i18n._(TIMING_NAMES[one])}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
