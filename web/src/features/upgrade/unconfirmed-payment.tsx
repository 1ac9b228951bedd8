import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { syncSubscription } from '../../api/billing.ts';
import { useLatestSignal } from '../../api/use-latest-signal.ts';
import { Icon } from '../../components/icon.tsx';
import { SupportOfUser } from '../../components/support-link.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { sleep } from '../../lib/sleep.ts';
import { offersSupport } from '../../lib/support.ts';
import { followPaymentReturn } from '../billing/follow-payment-return.ts';
import { CONFIRMATION_FAILED, PAYMENT_SUCCESSFUL } from '../billing/payment-messages.ts';

/** Renders what is paid while Pro has not begun: keeps anyone from paying again, and looks again on request. */
export function UnconfirmedPayment() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const nextSignal = useLatestSignal();
  const [isChecking, setIsChecking] = useState(false);

  const check = async () => {
    const signal = nextSignal();
    const page = window.location.pathname;
    setIsChecking(true);
    try {
      const message = await followPaymentReturn(null, {
        sync: () => syncSubscription(client),
        wait: (ms) => sleep(ms, signal),
      });
      if (signal.aborted) return;
      const hasArrived = message === PAYMENT_SUCCESSFUL;
      toast(hasArrived ? message : CONFIRMATION_FAILED);
      // Leaving has begun where the address is another one.
      if (hasArrived && window.location.pathname === page) return navigate('/');
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    setIsChecking(false);
  };

  return (
    <div className="upgrade-message">
      <Icon name="alert-triangle" size={28} />
      <p>{offersSupport() ? CONFIRMATION_FAILED.description : CONFIRMATION_FAILED.support.otherwise}</p>
      <p>
        <Trans>You don't need to pay again.</Trans> <SupportOfUser />
      </p>
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={isChecking}
        onClick={() => !isChecking && void check()}
      >
        {isChecking ? t`Checking...` : t`Check again`}
      </button>
    </div>
  );
}
