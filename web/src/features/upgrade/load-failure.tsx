interface LoadFailureProps {
  text?: string;
  onRetry: () => void;
}

/** The payment can't be taken yet; nothing has been charged. */
export function LoadFailure({
  text = 'The payment form could not be loaded. Check your internet connection, or whether something in your browser blocks it, and try again.',
  onRetry,
}: LoadFailureProps) {
  return (
    <div className="payment-failure" role="alert">
      <p>{text}</p>
      <p>Nothing has been charged.</p>
      <button type="button" className="btn btn-primary" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
