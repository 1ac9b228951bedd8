import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOffersPro } from '../../api/billing.ts';
import { refreshMe } from '../../api/session.ts';
import { SendConfirmation } from './send-confirmation.tsx';

/** Says over every screen, until the address is proven, what waits for that. */
export function VerifyEmailBanner({ user }: { user: User }) {
  const client = useQueryClient();
  useEffect(() => {
    if (user.emailVerified && !user.emailRefused) return;
    // The link is opened in another tab, or on another device, and so is the address changed.
    const look = () => document.visibilityState === 'visible' && void refreshMe(client);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [user.emailVerified, user.emailRefused, client]);
  const offersPro = useOffersPro();
  // There is no link that could have arrived.
  if (user.emailVerified || user.emailRefused) return null;
  return (
    <section className="verify-email" aria-label={t`Email address not confirmed`}>
      <p>
        {offersPro ? (
          <Trans>
            Please confirm your email address: open the link we sent to <strong>{user.email}</strong>. Until
            then, we can’t email you when a case’s status changes, and you can’t upgrade to Pro.
          </Trans>
        ) : (
          <Trans>
            Please confirm your email address: open the link we sent to <strong>{user.email}</strong>. Until
            then, we can’t email you.
          </Trans>
        )}
      </p>
      <SendConfirmation />
    </section>
  );
}
