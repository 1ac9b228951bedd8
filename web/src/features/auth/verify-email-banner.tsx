import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOffersPro } from '../../api/billing.ts';
import { refreshMe } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { useNoticeDismissal } from '../../lib/use-notice-dismissal.ts';
import { SendConfirmation } from './send-confirmation.tsx';

const KEY = 'casewatch:dismissed-confirmation';

/** Says over every screen in one line, until the address is proven, what waits for that; closed, it stays closed for the session. */
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
  const { isDismissed, dismiss } = useNoticeDismissal(KEY, `${user.id} ${user.email}`);
  // There is no link that could have arrived.
  if (user.emailVerified || user.emailRefused || isDismissed) return null;
  return (
    <section className="verify-email verify-email-line" aria-label={t`Email address not confirmed`}>
      <p>
        <strong>
          <Trans>Confirm your email address.</Trans>
        </strong>{' '}
        <span title={user.email}>
          {offersPro ? (
            <Trans>Open the link sent to {user.email}. Until then: no emails, no Pro.</Trans>
          ) : (
            <Trans>Open the link sent to {user.email}. Until then: no emails.</Trans>
          )}
        </span>
      </p>
      <SendConfirmation />
      <button type="button" className="icon-button" aria-label={t`Close the notice`} onClick={dismiss}>
        <Icon name="x" size={18} />
      </button>
    </section>
  );
}
