import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { CheckField } from '../../components/check-field.tsx';
import { ownTimeZone } from '../../lib/own-time-zone.ts';
import { ChannelField, ChoiceField, type SettingsProps } from './notification-fields.tsx';

const NIGHT = { from: '22:00', until: '07:00' };

interface QuietHoursChoicesProps extends SettingsProps {
  /** The digest goes by the time zone too. */
  hasDigest: boolean;
}

/** Renders when emails and push messages wait, and the time zone once something goes by it. */
export function QuietHoursChoices({ settings, onChange, hasDigest }: QuietHoursChoicesProps) {
  const { quietHours } = settings;
  const zone = settings.timeZone ?? ownTimeZone();
  return (
    <fieldset>
      <legend>
        <Trans>Quiet hours</Trans>
      </legend>
      <CheckField
        role="switch"
        label={t`Mute at night`}
        hint={t`Emails and push messages wait until the quiet hours end. Statuses that need action still reach you right away.`}
        checked={quietHours !== null}
        onChange={(event) => onChange({ quietHours: event.currentTarget.checked ? NIGHT : null })}
      />
      {quietHours !== null && (
        <div className="notification-channels">
          <TimeField
            label={t`From`}
            value={quietHours.from}
            onChange={(from) => onChange({ quietHours: { ...quietHours, from } })}
          />
          <TimeField
            label={t`Until`}
            value={quietHours.until}
            onChange={(until) => onChange({ quietHours: { ...quietHours, until } })}
          />
        </div>
      )}
      {(quietHours !== null || hasDigest) && (
        <ChoiceField
          label={t`Time zone`}
          lang="en"
          options={timeZones(zone).map((name) => [name, name.replaceAll('_', ' ')] as const)}
          value={zone}
          onChoose={(timeZone) => onChange({ timeZone })}
        />
      )}
    </fieldset>
  );
}

interface TimeFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <ChannelField label={label}>
      {(id) => (
        <input
          id={id}
          type="time"
          className="form-control"
          required
          key={value}
          defaultValue={value}
          // Each key makes another time; the one that is left counts.
          onBlur={({ currentTarget }) => {
            if (currentTarget.value === '') currentTarget.value = value;
            else if (currentTarget.value !== value) onChange(currentTarget.value);
          }}
        />
      )}
    </ChannelField>
  );
}

/** Those that the browser knows, and the one that is chosen. */
function timeZones(chosen: string): string[] {
  return [...new Set([...(Intl.supportedValuesOf?.('timeZone') ?? []), ownTimeZone(), 'UTC', chosen])].sort();
}
