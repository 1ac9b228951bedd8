import { useQueryClient } from '@tanstack/react-query';
import { format } from 'date-fns/format';
import { useLocation } from 'react-router-dom';
import { isKept } from '../../api/kept-data.ts';
import { useOffline } from '../../api/offline.ts';
import type { OfflineChange } from '../../api/offline-changes.ts';
import { forgetChange, queueChange, refreshAfterSending, sendChanges } from '../../api/send-changes.ts';
import { useWaitingChanges } from '../../api/waiting-changes.ts';
import { Icon } from '../../components/icon.tsx';

const DAY_MS = 86_400_000;

/** Says over every screen that stored data is shown and from when, what waits for the connection, and what could not be made. */
export function OfflineBanner() {
  const isOffline = useOffline();
  const asOfMs = useAsOfMs();
  const { changes, refusals } = useWaitingChanges();
  const client = useQueryClient();
  const leave = (id: string) => {
    // The button goes with its line.
    document.getElementById('main')?.focus({ preventScroll: true });
    void forgetChange(client, id);
  };
  const again = (id: string, change: OfflineChange) => {
    leave(id);
    void queueChange(client, change)
      .then(() => sendChanges(client))
      .then(() => refreshAfterSending(client));
  };
  return (
    <div aria-live="polite">
      {isOffline && (
        <section className="offline-banner" aria-label="Offline">
          <Icon name="alert-triangle" />
          <p>
            {asOfMs === undefined ? 'Offline.' : `Offline. Saved statuses as of ${asOfWords(asOfMs)}.`}
            {changes.length === 0 &&
              ' You can change nicknames and monitoring or remove cases; looking up needs a connection.'}
          </p>
        </section>
      )}
      {changes.length > 0 && (
        <section className="offline-banner" aria-label="Changes that wait">
          <Icon name="clock" />
          <div>
            <p>
              {changes.length === 1 ? '1 change waits' : `${changes.length} changes wait`} to be sent
              {isOffline ? ' when you are back online.' : '.'}
            </p>
            <ul>
              {changes.map((change) => (
                <li key={change.id}>
                  <span>{wordsOf(change)}</span>
                  <button type="button" className="btn btn-link btn-sm" onClick={() => leave(change.id)}>
                    Undo<span className="visually-hidden"> {wordsOf(change)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
      {refusals.map(({ id, receiptNumber, text, again: change }) => (
        <section
          key={id}
          className="offline-banner offline-refusal"
          aria-label={`Not saved: ${receiptNumber}`}
        >
          <Icon name="alert-triangle" />
          <div>
            <p>
              <strong>{receiptNumber}</strong>: {text}
            </p>
            {change && (
              <button
                type="button"
                className="btn btn-outline-secondary btn-sm"
                onClick={() => again(id, change)}
              >
                Save my change
              </button>
            )}
            <button type="button" className="btn btn-link btn-sm" onClick={() => leave(id)}>
              {change ? 'Keep theirs' : 'Close'}
              <span className="visually-hidden"> for {receiptNumber}</span>
            </button>
          </div>
        </section>
      ))}
    </div>
  );
}

/** From when the oldest kept answer on the screen is; of all that are kept, when this screen shows none. */
function useAsOfMs(): number | undefined {
  useLocation();
  const kept = useQueryClient()
    .getQueryCache()
    .findAll({ predicate: ({ queryKey, state }) => isKept(queryKey) && state.dataUpdatedAt > 0 });
  const shown = kept.filter((query) => query.isActive());
  const times = (shown.length > 0 ? shown : kept).map(({ state }) => state.dataUpdatedAt);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The time of today; before that with the day. */
function asOfWords(atMs: number): string {
  return format(atMs, Date.now() - atMs < DAY_MS / 2 ? 'h:mm a' : 'MMM d, h:mm a');
}

function wordsOf(change: OfflineChange): string {
  const { receiptNumber } = change;
  if (change.kind === 'removal') return `${receiptNumber}: remove`;
  if (change.kind === 'frequency') return `${receiptNumber}: monitoring ${change.wanted}`;
  return change.wanted === null
    ? `${receiptNumber}: remove the nickname`
    : `${receiptNumber}: nickname “${change.wanted}”`;
}
