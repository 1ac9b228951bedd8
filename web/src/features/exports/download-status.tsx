import './exports.scss';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ErrorReference } from '../../components/error-reference.tsx';
import { count } from '../../lib/format-number.ts';
import type { DownloadState } from './use-download.ts';

/** Renders how far a download is, and how it ended; screen readers hear the beginning and the end, not each step. */
export function DownloadStatus({ state, unit }: { state: DownloadState; unit: string }) {
  return (
    <div className="download-status">
      {state.kind === 'loading' && (
        <>
          <progress
            aria-label={t`Download`}
            {...(state.progress.total > 0
              ? { max: state.progress.total, value: Math.min(state.progress.done, state.progress.total) }
              : {})}
          />
          <p>{words(state.progress, unit)}</p>
        </>
      )}
      <p role="status">
        {state.kind === 'loading' && (
          <span className="visually-hidden">
            <Trans>The download has started.</Trans>
          </span>
        )}
        {state.kind === 'done' && t`Saved as ${state.name}. Look in your downloads.`}
        {state.kind === 'canceled' && t`Canceled. Nothing was saved.`}
        {state.kind === 'failed' && <span className="field-error">{state.text}</span>}
      </p>
      {state.kind === 'failed' && <ErrorReference error={state.error} />}
    </div>
  );
}

function words({ done, total }: { done: number; total: number }, unit: string): string {
  if (total === 0) return t`Preparing...`;
  const [have, all] = [count(Math.min(done, total)), count(total)];
  return t`${have} of ${all} ${unit}`;
}
