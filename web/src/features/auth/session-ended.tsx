import type { User } from '@casewatch/contracts/identity';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import Modal from 'react-bootstrap/Modal';
import { dropKept } from '../../api/offline.ts';
import { notifyOtherTabs } from '../../api/other-tabs.ts';
import { forgetUser } from '../../api/user-data.ts';
import { Button } from '../../components/button.tsx';
import { useLogOutQuestion } from '../../components/use-log-out-question.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Covers every screen, and any dialog, when the session has ended; what lies beneath stays as it was. */
export function SessionEnded({ user }: { user: User }) {
  const client = useQueryClient();
  const logOut = useLogOutQuestion(() => {
    forgetUser(client);
    notifyOtherTabs(null);
    void dropKept();
  });
  return (
    <Modal
      show
      fullscreen
      backdrop="static"
      keyboard={false}
      animation={false}
      className="session-ended"
      aria-labelledby="session-ended-title"
    >
      <Modal.Body>
        <div className="auth-main">
          <h2 id="session-ended-title">
            <Trans>Your session has ended</Trans>
          </h2>
          <p className="page-subtitle">
            <Trans>Sign in again to continue where you left off. Nothing you typed is lost.</Trans>
          </p>
          <div className="card auth-card session-ended-card">
            <SignInForm email={user.email} asksPassword />
          </div>
          <Button look="secondary" onClick={logOut.ask}>
            <Trans>Log out</Trans>
          </Button>
        </div>
        {logOut.dialog}
      </Modal.Body>
    </Modal>
  );
}
