import { isStoppableMail, STOPPABLE_MAILS } from '@casewatch/contracts/notification-choices';
import { useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import { useUnsubscribe } from '../../api/notification-preferences.ts';
import { ErrorReference } from '../../components/error-reference.tsx';
import { CardPage } from '../layout/card-page.tsx';

/**
 * Where the link at the end of an e-mail leads: asks, and stops the e-mails of its kind, or all. Works signed in and
 * signed out.
 */
export function UnsubscribePage() {
  // The token is kept from when the page was opened: going elsewhere within the page changes the address.
  const [token] = useState(() => window.location.hash.slice(1));
  const unsubscribe = useUnsubscribe();
  const kind = token.split('.')[1] ?? '';
  // The server reads the kind from the token, too; an e-mail from before there were kinds stops all.
  const about = isStoppableMail(kind) ? STOPPABLE_MAILS[kind] : undefined;
  const stopped = unsubscribe.variables?.all ? undefined : about;
  return (
    <CardPage
      heading={{
        title: unsubscribe.isSuccess
          ? 'You are unsubscribed'
          : `Stop e-mails about ${about ?? 'your cases'}?`,
        documentTitle: 'Unsubscribe',
      }}
    >
      {unsubscribe.isSuccess ? (
        <p role="status" className="mb-0">
          {stopped === undefined
            ? 'You will get no more e-mails when a case moves.'
            : `You will get no more e-mails about ${stopped}. Others still come.`}{' '}
          You can turn them on again in your profile.
        </p>
      ) : (
        <div className="form-stack">
          <p>
            {about === undefined
              ? 'If you stop them, only the bell in Casewatch tells you when a case moves.'
              : 'Other e-mails from Casewatch still come, unless you stop all of them.'}
          </p>
          {unsubscribe.isError && (
            <div role="alert">
              <p className="mb-0">{failureText(unsubscribe.error, 'Check your connection and try again.')}</p>
              <ErrorReference error={unsubscribe.error} />
            </div>
          )}
          <button
            type="button"
            className="btn btn-primary btn-lg"
            disabled={unsubscribe.isPending}
            onClick={() => unsubscribe.mutate({ token, all: false })}
          >
            {unsubscribe.isPending ? 'Stopping...' : 'Stop e-mails'}
          </button>
          {about !== undefined && (
            <button
              type="button"
              className="btn btn-outline-secondary"
              disabled={unsubscribe.isPending}
              onClick={() => unsubscribe.mutate({ token, all: true })}
            >
              Stop all e-mails about my cases
            </button>
          )}
        </div>
      )}
    </CardPage>
  );
}
