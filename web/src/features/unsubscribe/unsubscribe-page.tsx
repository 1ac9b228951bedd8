import { useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import { useUnsubscribe } from '../../api/notification-preferences.ts';
import { ErrorReference } from '../../components/error-reference.tsx';
import { CardPage } from '../layout/card-page.tsx';

/** Where the link at the end of an e-mail leads: asks, and stops the e-mails. Works signed in and signed out. */
export function UnsubscribePage() {
  // The token is kept from when the page was opened: going elsewhere within the page changes the address.
  const [token] = useState(() => window.location.hash.slice(1));
  const unsubscribe = useUnsubscribe();
  return (
    <CardPage
      heading={{
        title: unsubscribe.isSuccess ? 'You are unsubscribed' : 'Stop e-mails about your cases?',
        documentTitle: 'Unsubscribe',
      }}
    >
      {unsubscribe.isSuccess ? (
        <p role="status" className="mb-0">
          You will get no more e-mails when a case moves. You can turn them on again in your profile.
        </p>
      ) : (
        <div className="form-stack">
          <p>If you stop them, only the bell in Casewatch tells you when a case moves.</p>
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
            onClick={() => unsubscribe.mutate(token)}
          >
            {unsubscribe.isPending ? 'Stopping...' : 'Stop e-mails'}
          </button>
        </div>
      )}
    </CardPage>
  );
}
