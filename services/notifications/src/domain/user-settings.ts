import type {
  NotificationKind,
  NotificationSettings,
  StoppableMail,
} from '@casewatch/contracts/notification-choices';
import { needsAction } from '@casewatch/contracts/status-guide';
import { invalidField } from '@casewatch/service-kit/errors/app-error';
import { isTimeZone } from './quiet-hours.ts';
import type { Subject } from './subject.ts';

const NO_MAILS = { status: 'never', needsAction: 'never', dates: 'never', digest: 'never' } as const;

/** @throws AppError VALIDATION for a time zone in which quiet hours and digests can't be planned */
export function requireTimeZone({ timeZone }: Pick<NotificationSettings, 'timeZone'>): void {
  if (isTimeZone(timeZone)) return;
  throw invalidField('timeZone', 'time-zone-unknown');
}

/** Returns whether an e-mail comes of a status change, at once or in a digest: the switch of the profile. */
export function wantsStatusMails({ email }: NotificationSettings): boolean {
  return email.status !== 'never';
}

/** Returns the settings after the switch was used: on brings back what was off, off stops all e-mails about cases. */
export function withMails(settings: NotificationSettings, wanted: boolean): NotificationSettings {
  if (!wanted) return { ...settings, email: NO_MAILS };
  const { status, needsAction: urgent, digest } = settings.email;
  return {
    ...settings,
    email: {
      status: status === 'never' ? 'immediately' : status,
      needsAction: urgent === 'never' ? 'immediately' : urgent,
      digest,
    },
  };
}

/** Returns the settings after e-mails of a kind were stopped; those of a digest end with everything that waits for one. */
export function withoutMails(
  settings: NotificationSettings,
  kind: StoppableMail | 'all',
): NotificationSettings {
  if (kind === 'all') return withMails(settings, false);
  const { email } = settings;
  if (kind !== 'digest') return { ...settings, email: { ...email, [kind]: 'never' } };
  const unlessDigest = (timing: typeof email.status) => (timing === 'immediately' ? timing : 'never');
  return {
    ...settings,
    email: {
      ...email,
      status: unlessDigest(email.status),
      needsAction: unlessDigest(email.needsAction),
      digest: 'never',
    },
  };
}

/** Returns what a notification is about, as users choose by it. */
export function kindOf(subject: Pick<Subject, 'kind'> & { newStatus?: string }): NotificationKind {
  if (subject.kind === 'plan') return 'billing';
  if (subject.kind === 'date') return 'dates';
  return needsAction(subject.newStatus) ? 'needsAction' : 'status';
}
