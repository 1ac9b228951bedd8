import { LanguageCard } from '../language/language-card.tsx';
import './profile.scss';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useOffersPro } from '../../api/billing.ts';
import { useMe } from '../../api/session.ts';
import { CheckField } from '../../components/check-field.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { useShortcutSwitch } from '../../lib/shortcut-keys.ts';
import { AccountInformation } from './account-information.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { DeleteAccount } from './delete-account-dialog.tsx';
import { EmailNotices } from './email-notices.tsx';
import { PlanComparison } from './plan-comparison.tsx';
import { SignInSettings } from './sign-in-settings.tsx';
import { YourData } from './your-data.tsx';

const PushCard = lazy(async () => ({ default: (await import('../push/push-card.tsx')).PushCard }));

/** Renders the account of the signed-in user, and all that can be changed about it. */
export function ProfilePage() {
  const { user } = useMe();
  const offersPro = useOffersPro();
  if (!user) return null;
  return (
    <div className="profile-page">
      <PageHeading title={t`Profile`} subtitle={t`Your account and how you sign in`} />
      <AccountInformation user={user} />
      <CurrentPlan user={user} />
      {user.tier === 'free' && offersPro && <PlanComparison />}
      <SignInSettings user={user} />
      <EmailNotices />
      <Suspense fallback={null}>
        <PushCard userId={user.id} />
      </Suspense>
      <LanguageCard />
      <KeyboardShortcuts />
      <YourData user={user} />
      <DeleteAccount />
    </div>
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
