import { ErrorReference } from '../components/error-reference.tsx';

/** Shown when the session cannot be read: no answer from the server, or an invalid one. */
export function SessionProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="message-page message-page-full">
      <h1>We can't reach the server</h1>
      <p>Check your connection and try again. Nothing you saved is lost.</p>
      <ErrorReference error={error} />
      <p className="message-page-actions">
        <button type="button" className="btn btn-primary" onClick={onRetry}>
          Try again
        </button>
      </p>
    </main>
  );
}
