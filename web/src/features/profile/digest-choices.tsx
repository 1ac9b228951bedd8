import { DIGEST_TIMINGS, type NotificationTiming } from '@casewatch/contracts/notification-choices';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatLocale } from '../../lib/format-number.ts';
import { ChoiceField, type SettingsProps, TimingField } from './notification-fields.tsx';

interface DigestChoicesProps extends SettingsProps {
  emailOffered: boolean;
  pushOffered: boolean;
  /** Those chosen on the channels that are offered. */
  timings: readonly NotificationTiming[];
}

/** Renders what a digest is, and when it comes once one is chosen. */
export function DigestChoices({
  settings,
  onChange,
  emailOffered,
  pushOffered,
  timings,
}: DigestChoicesProps) {
  const { email, digestHour, digestDay } = settings;
  const isWeekly = timings.includes('weekly');
  return (
    <fieldset>
      <legend>
        <Trans>Digest</Trans>
      </legend>
      {emailOffered && (
        <p className="form-text">
          <Trans>A digest is one email per day or week that lists what changed first.</Trans>
        </p>
      )}
      {pushOffered && (
        <p className="form-text">
          <Trans>
            On your devices, a digest is one message that says how many cases changed. It arrives after quiet
            hours end.
          </Trans>
        </p>
      )}
      <div className="notification-channels">
        {emailOffered && (
          <TimingField
            label={t`Send a summary even if nothing changed`}
            values={DIGEST_TIMINGS}
            value={email.digest}
            onChoose={(digest) => onChange({ email: { digest } })}
          />
        )}
        {(isWeekly || timings.includes('daily')) && (
          <ChoiceField
            label={t`Time of day`}
            options={Array.from({ length: 24 }, (_, hour) => [hour, timeOfDay(hour)] as const)}
            value={digestHour}
            onChoose={(hour) => onChange({ digestHour: hour })}
          />
        )}
        {isWeekly && (
          <ChoiceField
            label={t`Day of the weekly digest`}
            options={weekdays().map((day, nth) => [nth + 1, day] as const)}
            value={digestDay}
            onChoose={(day) => onChange({ digestDay: day })}
          />
        )}
      </div>
    </fieldset>
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
