import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ErrorReference } from './error-reference.tsx';

interface LoadFailureProps {
  /** What could not be loaded, in sentences for people. */
  children: ReactNode;
  /** Why: a failure of the server is shown with its reference. */
  error: unknown;
  onRetry: () => void;
  className?: string;
  /** One of several things on the screen, not the screen itself. */
  isPart?: boolean;
}

/** Stands in the place of what could not be loaded, with a way to try again. */
export function LoadFailure({ children, error, onRetry, className, isPart = false }: LoadFailureProps) {
  return (
    <div className={className} role="alert">
      {children}
      <ErrorReference error={error} />
      <button
        type="button"
        className={isPart ? 'btn btn-outline-secondary btn-sm' : 'btn btn-primary'}
        onClick={() => onRetry()}
      >
        <Trans>Try again</Trans>
      </button>
    </div>
  );
}
