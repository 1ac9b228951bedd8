import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useIsPlanAnswered, useOffersPro } from '../../api/billing.ts';
import { useMe } from '../../api/session.ts';
import { CheckField } from '../../components/check-field.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useShortcutSwitch } from '../../lib/shortcut-keys.ts';
import { LanguageCard } from '../language/language-card.tsx';
import { AccountInformation } from './account-information.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { PlanComparison } from './plan-comparison.tsx';
import { ProfileFrame } from './profile-frame.tsx';

/** Renders the account and the plan of the signed-in user, and the choices about how the app shows itself. */
export function ProfilePage() {
  const { user } = useMe();
  const offersPro = useOffersPro();
  const isPlanAnswered = useIsPlanAnswered();
  if (!user) return null;
  return (
    <ProfileFrame title={t`Profile`} subtitle={t`Your account and your plan`}>
      <AccountInformation user={user} />
      <CurrentPlan user={user} />
      {isPlanAnswered ? (
        <>
          {user.tier === 'free' && offersPro && <PlanComparison />}
          <LanguageCard />
          <KeyboardShortcuts />
        </>
      ) : (
        <Spinner />
      )}
    </ProfileFrame>
  );
}

/** Turns the shortcuts of single keys on or off on this device. */
function KeyboardShortcuts() {
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
          hint={t`Press ? to see them. Turn them off if you control this device by voice or often press keys by accident.`}
          checked={isOn}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />
      </div>
    </section>
  );
}
