import type { OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useFinishSingleSignOn } from '../../../api/admin-session.ts';
import { failureText } from '../../../api/api-error.ts';
import { Spinner } from '../../../components/spinner.tsx';
import { CardPage } from '../../layout/card-page.tsx';
import { adminPath, readDeparture, reportReopened, useSingleSignOn } from './single-sign-on.tsx';

/** Renders where the provider sends the browser back to: opens the area, or says what to do instead. */
export function SingleSignOnReturn({ onOpen }: { onOpen: (opened: OpenedAdminArea) => void }) {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [query] = useState(search);
  const [departure] = useState(readDeparture);
  const { data, error } = useFinishSingleSignOn(query);

  // The code is good for one use, and belongs into no history.
  const forgetCode = useEffectEvent(() => navigate(pathname, { replace: true }));
  useEffect(() => void forgetCode(), []);
  const open = useEffectEvent((opened: OpenedAdminArea) => {
    if (departure.isReopening) {
      reportReopened(opened);
      window.close();
      return;
    }
    onOpen(opened);
    void navigate(adminPath(departure.search), { replace: true });
  });
  useEffect(() => {
    if (data) open(data);
  }, [data]);

  if (error) return <Refused error={error} search={departure.search} />;
  if (!data || !departure.isReopening) return <Spinner fullPage />;
  return (
    <CardPage heading={{ title: 'You are signed in', documentTitle: 'Signed in' }}>
      <p role="status" className="mb-0">
        Close this tab and go back to the other one.
      </p>
    </CardPage>
  );
}

function Refused({ error, search }: { error: Error; search: string }) {
  const { isPending, start } = useSingleSignOn(false);
  return (
    <CardPage heading={{ title: 'You are not signed in', documentTitle: 'Not signed in' }}>
      <div className="form-stack">
        <p role="alert" className="mb-0">
          {failureText(error, 'The server could not be reached. Check your connection and start again.')}
        </p>
        <button
          type="button"
          className="btn btn-primary btn-lg"
          disabled={isPending}
          onClick={() => void start(search)}
        >
          {isPending ? 'Connecting...' : 'Start again'}
        </button>
        <Link to={adminPath(search)} className="btn btn-link">
          Sign in another way
        </Link>
      </div>
    </CardPage>
  );
}
