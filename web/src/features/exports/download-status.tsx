import type { DownloadState } from './use-download.ts';

const count = (value: number) => value.toLocaleString('en-US');

/** How far a download is, and how it ended; screen readers hear the beginning and the end, not each step. */
export function DownloadStatus({ state, unit }: { state: DownloadState; unit: string }) {
  return (
    <div className="download-status">
      {state.kind === 'loading' && (
        <>
          <progress
            aria-label="Download"
            {...(state.progress.total > 0
              ? { max: state.progress.total, value: Math.min(state.progress.done, state.progress.total) }
              : {})}
          />
          <p>{words(state.progress, unit)}</p>
        </>
      )}
      <p role="status">
        {state.kind === 'loading' && <span className="visually-hidden">The download has started.</span>}
        {state.kind === 'done' && `Saved as ${state.name}. Look in your downloads.`}
        {state.kind === 'canceled' && 'Canceled. Nothing was saved.'}
        {state.kind === 'failed' && <span className="field-error">{state.text}</span>}
      </p>
    </div>
  );
}

function words({ done, total }: { done: number; total: number }, unit: string): string {
  if (total === 0) return 'Preparing...';
  return `${count(Math.min(done, total))} of ${count(total)} ${unit}`;
}
