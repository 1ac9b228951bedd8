import { Trans } from '@lingui/react/macro';
import { ErrorReference } from '../components/error-reference.tsx';

/** Says that the session cannot be read: no answer from the server, or an invalid one. */
export function SessionProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="message-page message-page-full">
      <h1>
        <Trans>We can't reach the server</Trans>
      </h1>
      <p>
        <Trans>Check your connection and try again. Nothing you saved is lost.</Trans>
      </p>
      <ErrorReference error={error} />
      <p className="message-page-actions">
        <button type="button" className="btn btn-primary" onClick={onRetry}>
          <Trans>Try again</Trans>
        </button>
      </p>
    </main>
  );
}
