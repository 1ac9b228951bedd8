import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { ErrorReference } from '../components/error-reference.tsx';
import { isChunkError } from './lazy-page.ts';

interface ErrorBoundaryProps {
  /** The boundary forgets its error when this changes: another screen gets its own chance. */
  resetKey: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  error: unknown;
  resetKey: string;
}

/** Shows a way out where a screen broke, instead of an empty page; the rest of the app lives on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return props.resetKey === state.resetKey ? null : { error: undefined, resetKey: props.resetKey };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <BrokenScreen error={error} />;
  }
}

function BrokenScreen({ error }: { error: unknown }) {
  const chunkMissing = isChunkError(error);
  return (
    <div className="message-page" role="alert">
      <h1>{chunkMissing ? t`This page needs a reload` : t`Something went wrong`}</h1>
      <p>
        {chunkMissing
          ? t`A part of the app could not be loaded. There may be a newer version, or the connection was lost.`
          : t`This screen stopped working. Your saved cases are safe. Reload to try again.`}
      </p>
      <ErrorReference error={error} />
      <p className="message-page-actions">
        <Button look="primary" onClick={() => window.location.reload()}>
          <Trans>Reload</Trans>
        </Button>
        <a className="btn btn-outline-secondary" href="/">
          <Trans>Go to the start page</Trans>
        </a>
      </p>
    </div>
  );
}
