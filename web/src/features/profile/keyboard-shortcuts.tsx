import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { CheckField } from '../../components/check-field.tsx';
import { useShortcutSwitch } from '../../lib/shortcut-keys.ts';

/** Turns the shortcuts of single keys on or off on this device. */
export function KeyboardShortcuts() {
  const { isOn, turn } = useShortcutSwitch();
  return (
    <section className="card profile-card" aria-labelledby="keyboard-shortcuts">
      <h2 id="keyboard-shortcuts">
        <Trans>Keyboard shortcuts</Trans>
      </h2>
      <div className="profile-row">
        <CheckField
          role="switch"
          label={t`Use keyboard shortcuts on this device`}
          hint={t`Press ? to see them. Turn them off if you control this device by voice, or press keys by accident.`}
          checked={isOn}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />
      </div>
    </section>
  );
}
