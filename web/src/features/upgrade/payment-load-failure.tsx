import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LoadFailure } from '../../components/load-failure.tsx';

interface PaymentLoadFailureProps {
  text?: string;
  error?: unknown;
  onRetry: () => void;
}

/** Says that the payment can't be taken yet; nothing has been charged. */
export function PaymentLoadFailure({ text, error, onRetry }: PaymentLoadFailureProps) {
  return (
    <LoadFailure className="payment-failure" error={error} onRetry={onRetry}>
      <p>
        {text ??
          t`The payment form could not be loaded. Check your internet connection, or whether something in your browser blocks it, and try again.`}
      </p>
      <p>
        <Trans>Nothing has been charged.</Trans>
      </p>
    </LoadFailure>
  );
}
