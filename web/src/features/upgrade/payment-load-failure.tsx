import { LoadFailure } from '../../components/load-failure.tsx';

interface PaymentLoadFailureProps {
  text?: string;
  error?: unknown;
  onRetry: () => void;
}

/** The payment can't be taken yet; nothing has been charged. */
export function PaymentLoadFailure({
  text = 'The payment form could not be loaded. Check your internet connection, or whether something in your browser blocks it, and try again.',
  error,
  onRetry,
}: PaymentLoadFailureProps) {
  return (
    <LoadFailure className="payment-failure" error={error} onRetry={onRetry}>
      <p>{text}</p>
      <p>Nothing has been charged.</p>
    </LoadFailure>
  );
}
