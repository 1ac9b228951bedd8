import {
  IMMEDIATE_OR_NEVER,
  NOTIFICATION_TIMINGS,
  type NotificationKind,
  type NotificationSettings,
  type NotificationTiming,
} from '@casewatch/contracts/notification-choices';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import {
  useChangeNotificationSettings,
  useNotificationSettings,
} from '../../api/notification-preferences.ts';
import { Button } from '../../components/button.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { DigestChoices } from './digest-choices.tsx';
import { type DraftProps, TimingField } from './notification-fields.tsx';
import { ownTimeZone, QuietHoursChoices } from './quiet-hours-choices.tsx';

const KIND_TEXTS: Record<NotificationKind, { name: MessageDescriptor; hint: MessageDescriptor }> = {
  status: { name: msg`Status changes`, hint: msg`The status of a case has changed.` },
  needsAction: {
    name: msg`Statuses that need action`,
    hint: msg`For example, a request for evidence or an appointment. You get these during quiet hours too.`,
  },
  billing: { name: msg`Your plan`, hint: msg`We always send emails about your plan.` },
};
const KINDS = ['status', 'needsAction', 'billing'] as const;

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

interface OfferedProps {
  emailOffered: boolean;
  pushOffered: boolean;
}

interface ChoicesFormProps extends OfferedProps {
  settings: NotificationSettings;
  onClose: () => void;
}

function ChoicesForm({ settings, emailOffered, pushOffered, onClose }: ChoicesFormProps) {
  const [draft, setDraft] = useState(settings);
  const change = useChangeNotificationSettings();
  const toast = useToast();
  const fail = useFailureToast();
  const heading = useRef<HTMLFieldSetElement>(null);
  // The button that opened it is removed.
  useEffect(() => heading.current?.focus(), []);
  const timings: NotificationTiming[] = [
    ...(emailOffered ? Object.values(draft.email) : []),
    ...(pushOffered ? Object.values(draft.push) : []),
  ];
  const hasDigest = timings.includes('daily') || timings.includes('weekly');
  const offered = { emailOffered, pushOffered };
  const editing: DraftProps = { draft, onChange: (changes) => setDraft({ ...draft, ...changes }) };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await change.mutateAsync({ ...draft, timeZone: draft.timeZone ?? ownTimeZone() });
      toast({ title: t`Updated`, description: t`Your notifications have been updated.` });
      onClose();
    } catch (failure) {
      fail(failure, t`Failed to update notifications. Please try again.`);
    }
  };

  return (
    <form className="edit-form notification-choices" onSubmit={(event) => void save(event)}>
      {KINDS.map((kind, nth) => (
        <KindChoices key={kind} ref={nth === 0 ? heading : null} kind={kind} {...offered} {...editing} />
      ))}
      {(emailOffered || pushOffered) && <DigestChoices timings={timings} {...offered} {...editing} />}
      <QuietHoursChoices hasDigest={hasDigest} {...editing} />
      <div className="edit-form-actions">
        <button type="submit" className="btn btn-primary" disabled={change.isPending}>
          {change.isPending ? t`Saving...` : t`Save choices`}
        </button>
        <Button look="secondary" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}

interface KindChoicesProps extends DraftProps, OfferedProps {
  kind: NotificationKind;
  ref: Ref<HTMLFieldSetElement>;
}

function KindChoices({ kind, ref, draft, onChange, emailOffered, pushOffered }: KindChoicesProps) {
  const { bell, email, push } = draft;
  return (
    <fieldset ref={ref} tabIndex={-1}>
      <legend>{i18n._(KIND_TEXTS[kind].name)}</legend>
      <p className="form-text">{i18n._(KIND_TEXTS[kind].hint)}</p>
      <div className="notification-channels">
        <TimingField
          label={t`In the app`}
          values={IMMEDIATE_OR_NEVER}
          value={bell[kind]}
          onChoose={(timing) => onChange({ bell: { ...bell, [kind]: timing } })}
        />
        {emailOffered && kind !== 'billing' && (
          <TimingField
            label={t`Email`}
            values={NOTIFICATION_TIMINGS}
            value={email[kind]}
            onChoose={(timing) => onChange({ email: { ...email, [kind]: timing } })}
          />
        )}
        {pushOffered && (
          <TimingField
            label={t`Push`}
            values={kind === 'billing' ? IMMEDIATE_OR_NEVER : NOTIFICATION_TIMINGS}
            value={push[kind]}
            onChoose={(timing) => onChange({ push: { ...push, [kind]: timing } })}
          />
        )}
      </div>
    </fieldset>
  );
}
