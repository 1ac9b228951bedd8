import {
  IMMEDIATE_OR_NEVER,
  NOTIFICATION_TIMINGS,
  type NotificationKind,
  type NotificationTiming,
} from '@casewatch/contracts/notification-choices';
import type { NotificationSettingsAnswer } from '@casewatch/contracts/notification-settings';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import {
  type NotificationChanges,
  useChangeNotificationSettings,
} from '../../api/notification-preferences.ts';
import { useFailureToast } from '../../components/toast/toast-provider.tsx';
import { DigestChoices } from './digest-choices.tsx';
import { ChannelSwitch, type SettingsProps } from './notification-fields.tsx';
import { QuietHoursChoices } from './quiet-hours-choices.tsx';

const KIND_TEXTS: Record<NotificationKind, { name: MessageDescriptor; hint: MessageDescriptor }> = {
  status: { name: msg`Status changes`, hint: msg`The status of a case has changed.` },
  needsAction: {
    name: msg`Statuses that need action`,
    hint: msg`For example, a request for evidence or an appointment. You get these during quiet hours too.`,
  },
  dates: {
    name: msg`Date reminders`,
    hint: msg`Dates that you entered for a case: 30, 14, 7, 3 and 1 days before, and on the day.`,
  },
  billing: { name: msg`Your plan`, hint: msg`Trial, payments and the end of Pro.` },
};
const KINDS = ['status', 'needsAction', 'dates', 'billing'] as const;

/** Renders the events by channel with a switch for each, then digests and quiet hours; every change is saved at once. */
export function NotificationChoices({ settings, emailOffered, pushOffered }: NotificationSettingsAnswer) {
  const change = useChangeNotificationSettings();
  const fail = useFailureToast();
  const timings: NotificationTiming[] = [
    ...(emailOffered ? Object.values(settings.email) : []),
    ...(pushOffered ? Object.values(settings.push) : []),
  ];
  const hasDigest = timings.includes('daily') || timings.includes('weekly');
  const offered = { emailOffered, pushOffered };
  // What `mutate` takes along is called for the last change alone, and not when the screen was left.
  const onChange = (changes: NotificationChanges) =>
    void change
      .mutateAsync(changes)
      .catch((error: unknown) => fail(error, t`Failed to update notifications. Please try again.`));
  const shown: SettingsProps = { settings, onChange };

  return (
    <div className="notification-choices">
      <div className="notification-grid">
        <div className="notification-event notification-columns" aria-hidden="true">
          <span />
          <span>
            <Trans>In the app</Trans>
          </span>
          {emailOffered && (
            <span>
              <Trans>Email</Trans>
            </span>
          )}
          {pushOffered && (
            <span>
              <Trans>Push</Trans>
            </span>
          )}
        </div>
        {KINDS.map((kind) => (
          <Event key={kind} kind={kind} {...offered} {...shown} />
        ))}
      </div>
      {(emailOffered || pushOffered) && <DigestChoices timings={timings} {...offered} {...shown} />}
      <QuietHoursChoices hasDigest={hasDigest} {...shown} />
    </div>
  );
}

interface EventProps extends SettingsProps {
  kind: NotificationKind;
  emailOffered: boolean;
  pushOffered: boolean;
}

/** One row of the grid. */
function Event({ kind, settings, onChange, emailOffered, pushOffered }: EventProps) {
  const id = useId();
  const { bell, email, push } = settings;
  const { name, hint } = KIND_TEXTS[kind];
  return (
    <fieldset className="notification-event" aria-labelledby={id}>
      <div>
        <strong id={id}>{i18n._(name)}</strong>
        <p className="form-text">{i18n._(hint)}</p>
      </div>
      <ChannelSwitch
        label={t`In the app`}
        values={IMMEDIATE_OR_NEVER}
        value={bell[kind] ?? 'immediately'}
        onChoose={(timing) => onChange({ bell: { [kind]: timing } })}
      />
      {emailOffered &&
        (kind === 'billing' ? (
          <div className="notification-channel">
            <span className="notification-channel-name">
              <Trans>Email</Trans>
            </span>
            <span className="form-text">
              <Trans>Always</Trans>
            </span>
          </div>
        ) : (
          <ChannelSwitch
            label={t`Email`}
            values={kind === 'dates' ? IMMEDIATE_OR_NEVER : NOTIFICATION_TIMINGS}
            value={email[kind] ?? 'immediately'}
            onChoose={(timing) => onChange({ email: { [kind]: timing } })}
          />
        ))}
      {pushOffered && (
        <ChannelSwitch
          label={t`Push`}
          values={kind === 'billing' || kind === 'dates' ? IMMEDIATE_OR_NEVER : NOTIFICATION_TIMINGS}
          value={push[kind] ?? 'immediately'}
          onChoose={(timing) => onChange({ push: { [kind]: timing } })}
        />
      )}
    </fieldset>
  );
}
