import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { isKept } from '../../api/kept-data.ts';
import { useOffline } from '../../api/offline.ts';
import { frequencyWord, type OfflineChange } from '../../api/offline-changes.ts';
import { forgetChange, queueChange, refreshAfterSending, sendChanges } from '../../api/send-changes.ts';
import { useWaitingChanges } from '../../api/waiting-changes.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { formatShortMoment } from '../../lib/format-moment.ts';
import './offline.scss';
import type { User } from '@casewatch/contracts/identity';
import { useEffect } from 'react';
import { keepAnswers } from '../../api/kept-data.ts';
import { useReconnect } from './use-reconnect.ts';

/** Renders what lets the signed-in screens work without a connection: keeps their answers, says what is shown, sends what waits. */
export function OfflineParts({ user }: { user: User }) {
  const client = useQueryClient();
  useEffect(() => keepAnswers(client, user), [client, user]);
  // The query library takes every page for online when it opens.
  useEffect(() => onlineManager.setOnline(navigator.onLine), []);
  useReconnect();
  return <OfflineBanner />;
}

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
        <section className="offline-banner" aria-label={t`Offline`}>
          <Icon name="alert-triangle" />
          <p>
            {asOfMs === undefined
              ? t`Offline.`
              : t`Offline. Saved statuses as of ${formatShortMoment(asOfMs)}.`}{' '}
            {changes.length === 0 &&
              t`You can change nicknames and monitoring, or remove cases. Looking up a case needs a connection.`}
          </p>
        </section>
      )}
      {changes.length > 0 && (
        <section className="offline-banner" aria-label={t`Pending changes`}>
          <Icon name="clock" />
          <div>
            <p>
              {isOffline
                ? plural(changes.length, {
                    one: '# change will be sent when you are back online.',
                    other: '# changes will be sent when you are back online.',
                  })
                : plural(changes.length, {
                    one: '# pending change',
                    other: '# pending changes',
                  })}
            </p>
            <ul>
              {changes.map((change) => (
                <li key={change.id}>
                  <span>{wordsOf(change)}</span>
                  <button type="button" className="btn btn-link btn-sm" onClick={() => leave(change.id)}>
                    <UndoWords what={wordsOf(change)} />
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
          aria-label={t`Couldn’t save ${receiptNumber}`}
        >
          <Icon name="alert-triangle" />
          <div>
            <p>
              <strong>{receiptNumber}</strong>: {text}
            </p>
            {change && (
              <Button onClick={() => again(id, change)}>
                <Trans>Save my change</Trans>
              </Button>
            )}
            <button type="button" className="btn btn-link btn-sm" onClick={() => leave(id)}>
              {change ? (
                <Trans>
                  Keep the other change<span className="visually-hidden"> for {receiptNumber}</span>
                </Trans>
              ) : (
                <Trans>
                  Close<span className="visually-hidden"> for {receiptNumber}</span>
                </Trans>
              )}
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

function UndoWords({ what }: { what: string }) {
  return (
    <Trans>
      Undo<span className="visually-hidden"> {what}</span>
    </Trans>
  );
}

function wordsOf(change: OfflineChange): string {
  const { receiptNumber } = change;
  if (change.kind === 'removal') return t`${receiptNumber}: remove`;
  if (change.kind === 'frequency') return t`${receiptNumber}: monitoring ${frequencyWord(change.wanted)}`;
  return change.wanted === null
    ? t`${receiptNumber}: remove the nickname`
    : t`${receiptNumber}: nickname “${change.wanted}”`;
}
