/** Shown when it can't be found out who is signed in: the server did not answer, or not with sense. */
export function SessionProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="message-page message-page-full">
      <h1>We can't reach the server</h1>
      <p>Check your connection and try again. Nothing you saved is lost.</p>
      <p className="message-page-actions">
        <button type="button" className="btn btn-primary" onClick={onRetry}>
          Try again
        </button>
      </p>
    </main>
  );
}
