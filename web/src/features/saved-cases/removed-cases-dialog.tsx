import './removed-cases-dialog.scss';
import { REMOVED_CASES_DAYS } from '@casewatch/contracts/limits';
import type { RemovedCase } from '@casewatch/contracts/workspace';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { useRemovedCases } from '../../api/workspace.ts';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { serverText } from '../../lib/server-texts.ts';
import { TagList } from './tag-list.tsx';
import { outcomeText, useCaseChanges } from './use-case-changes.ts';

/** Renders what was removed of late, to be restored with nickname, tags and monitoring. */
export function RemovedCasesDialog({ show, onHide }: { show: boolean; onHide: () => void }) {
  return (
    <Modal
      animation={false}
      show={show}
      onHide={onHide}
      centered
      scrollable
      aria-labelledby="removed-cases-title"
    >
      <DialogHeader title={t`Recently removed`} titleId="removed-cases-title" onClose={onHide} />
      <Modal.Body>
        <p className="removed-hint">
          <Trans>
            Removed cases can be restored for {REMOVED_CASES_DAYS} days, with their nickname, tags and
            monitoring.
          </Trans>
        </p>
        <RemovedCases />
      </Modal.Body>
    </Modal>
  );
}

function RemovedCases() {
  const { data: removed, error, isFetching, refetch } = useRemovedCases();
  const { send, isPending } = useCaseChanges();
  const list = useRef<HTMLUListElement>(null);
  const [message, setMessage] = useState('');
  const hasRetried = useRef(false);
  // The button that asked again is removed.
  useEffect(() => {
    if (!removed || !hasRetried.current) return;
    hasRetried.current = false;
    list.current?.focus();
  }, [removed]);
  const retry = () => {
    hasRetried.current = true;
    void refetch();
  };

  const restore = async (cases: readonly RemovedCase[]) => {
    if (isPending) return;
    const results = await send([
      { action: 'restore', receiptNumbers: cases.map(({ receiptNumber }) => receiptNumber) },
    ]);
    const [first, ...more] = results ?? [];
    if (!results || !first) return;
    const refused = results.find(({ outcome }) => outcome === 'refused');
    const reason = refused ? ` ${serverText(refused)}` : '';
    const { receiptNumber } = first;
    if (more.length > 0) setMessage(`${outcomeText(results, 'restored')}.${reason}`);
    else
      setMessage(
        refused ? t`${receiptNumber} was not restored.` + reason : t`${receiptNumber} was restored.`,
      );
    // The button is removed.
    if (results.some(({ outcome }) => outcome !== 'refused')) list.current?.focus();
  };

  if (!removed && isFetching) return <Spinner label={t`Loading removed cases...`} />;
  if (!removed) {
    return (
      <LoadFailure error={error} onRetry={retry} isPart>
        <p>
          <Trans>The removed cases could not be loaded.</Trans>
        </p>
      </LoadFailure>
    );
  }
  return (
    <>
      <p role="status" className="removed-message">
        {message}
      </p>
      {removed.length === 0 && (
        <p>
          <Trans>Nothing was removed in the last {REMOVED_CASES_DAYS} days.</Trans>
        </p>
      )}
      {removed.length > 1 && (
        <button
          type="button"
          className="btn btn-link btn-sm restore-all"
          aria-disabled={isPending}
          onClick={() => void restore(removed)}
        >
          <Trans>Restore all</Trans>
        </button>
      )}
      <ul className="removed-list" ref={list} tabIndex={-1} aria-label={t`Removed cases`}>
        {removed.map((one) => (
          <li key={one.receiptNumber}>
            <div>
              <span className="receipt-number">{one.receiptNumber}</span>
              {one.nickname && <strong>{one.nickname}</strong>}
              <TagList tags={one.tags} />
              <small>
                <Trans>
                  Removed {formatDay(one.removedAt)}, can be restored until {formatDay(one.restorableUntil)}
                </Trans>
              </small>
            </div>
            <button
              type="button"
              className="btn btn-outline-primary btn-sm"
              aria-disabled={isPending}
              onClick={() => void restore([one])}
            >
              <Trans>
                Restore<span className="visually-hidden"> {one.receiptNumber}</span>
              </Trans>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
