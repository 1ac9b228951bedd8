import {
  DIGEST_TIMINGS,
  IMMEDIATE_OR_NEVER,
  NOTIFICATION_TIMINGS,
  type NotificationKind,
  type NotificationSettings,
  type NotificationTiming,
} from '@casewatch/contracts/notification-choices';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import {
  useChangeNotificationSettings,
  useNotificationSettings,
} from '../../api/notification-preferences.ts';
import { CheckField } from '../../components/check-field.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { formatLocale } from '../../lib/format-number.ts';

const TIMING_NAMES: Record<NotificationTiming, MessageDescriptor> = {
  immediately: msg`Right away`,
  daily: msg`Daily digest`,
  weekly: msg`Weekly digest`,
  never: msg`Never`,
};
const KIND_TEXTS: Record<NotificationKind, { name: MessageDescriptor; hint: MessageDescriptor }> = {
  status: { name: msg`Status changes`, hint: msg`The status of a case has changed.` },
  needsAction: {
    name: msg`Statuses that need action`,
    hint: msg`Such as a request for evidence or an appointment. These come during quiet hours too.`,
  },
  billing: { name: msg`Your plan`, hint: msg`We always send emails about your plan.` },
};
const KINDS = ['status', 'needsAction', 'billing'] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const NIGHT = { from: '22:00', until: '07:00' };

/** Renders what the user is notified of, where and when; nothing changes before it is saved. */
export function NotificationChoices({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useNotificationSettings();
  if (data) return <ChoicesForm {...data} onClose={onClose} />;
  if (!error) return <Spinner label={t`Loading your choices...`} />;
  return (
    <LoadFailure className="profile-row" error={error} onRetry={() => void refetch()} isPart>
      <p>{failureText(error, t`Your choices could not be loaded.`)}</p>
    </LoadFailure>
  );
}

interface ChoicesFormProps {
  settings: NotificationSettings;
  emailOffered: boolean;
  pushOffered: boolean;
  onClose: () => void;
}

function ChoicesForm({ settings, emailOffered, pushOffered, onClose }: ChoicesFormProps) {
  const [draft, setDraft] = useState(settings);
  const change = useChangeNotificationSettings();
  const toast = useToast();
  const fail = useFailureToast();
  const heading = useRef<HTMLFieldSetElement>(null);
  // The button that opened it is gone.
  useEffect(() => heading.current?.focus(), []);
  const set = (changes: Partial<NotificationSettings>) => setDraft({ ...draft, ...changes });
  const zone = draft.timeZone ?? ownTimeZone();
  const { email, quietHours } = draft;
  const timings: NotificationTiming[] = [
    ...(emailOffered ? Object.values(email) : []),
    ...(pushOffered ? Object.values(draft.push) : []),
  ];
  const hasDigest = timings.includes('daily') || timings.includes('weekly');

  const save = async () => {
    try {
      await change.mutateAsync({ ...draft, timeZone: zone });
      toast({ title: t`Updated`, description: t`Your notifications have been updated.` });
      onClose();
    } catch (failure) {
      fail(failure, t`Failed to update notifications. Please try again.`);
    }
  };

  return (
    <form
      className="edit-form notification-choices"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {KINDS.map((kind, nth) => (
        <fieldset key={kind} ref={nth === 0 ? heading : undefined} tabIndex={-1}>
          <legend>{i18n._(KIND_TEXTS[kind].name)}</legend>
          <p className="form-text">{i18n._(KIND_TEXTS[kind].hint)}</p>
          <div className="notification-channels">
            <Choice
              label={t`Bell`}
              values={IMMEDIATE_OR_NEVER}
              value={draft.bell[kind]}
              onChoose={(timing) => set({ bell: { ...draft.bell, [kind]: timing } })}
            />
            {emailOffered && kind !== 'billing' && (
              <Choice
                label={t`Email`}
                values={NOTIFICATION_TIMINGS}
                value={email[kind]}
                onChoose={(timing) => set({ email: { ...email, [kind]: timing } })}
              />
            )}
            {pushOffered && (
              <Choice
                label={t`Push`}
                values={kind === 'billing' ? IMMEDIATE_OR_NEVER : NOTIFICATION_TIMINGS}
                value={draft.push[kind]}
                onChoose={(timing) => set({ push: { ...draft.push, [kind]: timing } })}
              />
            )}
          </div>
        </fieldset>
      ))}
      {(emailOffered || pushOffered) && (
        <fieldset>
          <legend>
            <Trans>Digest</Trans>
          </legend>
          {emailOffered && (
            <p className="form-text">
              <Trans>
                A digest is one email for a day or a week, with what changed first. Choose an overview to get
                it even when nothing has changed.
              </Trans>
            </p>
          )}
          {pushOffered && (
            <p className="form-text">
              <Trans>
                On your devices a digest is one message that says how many cases changed. It waits for the end
                of quiet hours.
              </Trans>
            </p>
          )}
          <div className="notification-channels">
            {emailOffered && (
              <Choice
                label={t`Overview`}
                values={DIGEST_TIMINGS}
                value={email.digest}
                onChoose={(digest) => set({ email: { ...email, digest } })}
              />
            )}
            {hasDigest && (
              <Field label={t`Time of day`}>
                {(id) => (
                  <select
                    id={id}
                    className="form-select"
                    value={draft.digestHour}
                    onChange={(event) => set({ digestHour: Number(event.currentTarget.value) })}
                  >
                    {HOURS.map((hour) => (
                      <option key={hour} value={hour}>
                        {timeOfDay(hour)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            )}
            {timings.includes('weekly') && (
              <Field label={t`Day of the weekly digest`}>
                {(id) => (
                  <select
                    id={id}
                    className="form-select"
                    value={draft.digestDay}
                    onChange={(event) => set({ digestDay: Number(event.currentTarget.value) })}
                  >
                    {weekdays().map((day, nth) => (
                      <option key={day} value={nth + 1}>
                        {day}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            )}
          </div>
        </fieldset>
      )}
      <fieldset>
        <legend>
          <Trans>Quiet hours</Trans>
        </legend>
        <CheckField
          label={t`Keep quiet at night`}
          hint={t`Emails and push messages wait until the quiet hours end. Statuses that need action still come right away.`}
          checked={quietHours !== null}
          onChange={(event) => set({ quietHours: event.currentTarget.checked ? NIGHT : null })}
        />
        {quietHours !== null && (
          <div className="notification-channels">
            <TimeField
              label={t`From`}
              value={quietHours.from}
              onChange={(from) => set({ quietHours: { ...quietHours, from } })}
            />
            <TimeField
              label={t`Until`}
              value={quietHours.until}
              onChange={(until) => set({ quietHours: { ...quietHours, until } })}
            />
          </div>
        )}
        {(quietHours !== null || hasDigest) && (
          <Field label={t`Time zone`}>
            {(id) => (
              <select
                id={id}
                className="form-select"
                value={zone}
                onChange={(event) => set({ timeZone: event.currentTarget.value })}
              >
                {timeZones(zone).map((name) => (
                  <option key={name} value={name}>
                    {name.replaceAll('_', ' ')}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </fieldset>
      <div className="edit-form-actions">
        <button type="submit" className="btn btn-primary" disabled={change.isPending}>
          {change.isPending ? t`Saving...` : t`Save choices`}
        </button>
        <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
          <Trans>Cancel</Trans>
        </button>
      </div>
    </form>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
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

interface ChoiceProps<Timing extends NotificationTiming> {
  label: string;
  values: readonly Timing[];
  value: Timing;
  onChoose: (timing: Timing) => void;
}

function Choice<Timing extends NotificationTiming>({ label, values, value, onChoose }: ChoiceProps<Timing>) {
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          className="form-select"
          value={value}
          onChange={(event) => {
            const chosen = values.find((one) => one === event.currentTarget.value);
            if (chosen) onChoose(chosen);
          }}
        >
          {values.map((one) => (
            <option key={one} value={one}>
              {i18n._(TIMING_NAMES[one])}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface TimeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type="time"
          className="form-control"
          required
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function timeOfDay(hour: number): string {
  const onClock = ((hour + 11) % 12) + 1;
  return hour < 12 ? t`${onClock}:00 AM` : t`${onClock}:00 PM`;
}

/** Monday first. */
function weekdays(): string[] {
  const names = new Intl.DateTimeFormat(formatLocale(), { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, nth) => names.format(Date.UTC(2024, 0, nth + 1)));
}

const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Those that the browser knows, and the one that is chosen. */
function timeZones(chosen: string): string[] {
  return [...new Set([...(Intl.supportedValuesOf?.('timeZone') ?? []), ownTimeZone(), 'UTC', chosen])].sort();
}
