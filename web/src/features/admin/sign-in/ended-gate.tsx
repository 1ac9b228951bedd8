import type { OpenedAdminArea } from '@casewatch/contracts/admin-session';
import Modal from 'react-bootstrap/Modal';
import { AdminSignIn, type SignInWay, useSignInWay } from './admin-sign-in.tsx';

interface EndedGateProps {
  /** How the area was opened before. */
  firstWay: SignInWay;
  onOpen: (opened: OpenedAdminArea) => void;
  /** Discards what lies beneath. */
  onLeave: () => void;
}

/** Covers the admin area, and any dialog of it, when its session has ended; what lies beneath stays as it was. */
export function EndedGate({ firstWay, onOpen, onLeave }: EndedGateProps) {
  const { way, canSwitch, setWay } = useSignInWay(firstWay);
  return (
    <Modal
      show
      fullscreen
      backdrop="static"
      keyboard={false}
      animation={false}
      className="admin-ended"
      aria-labelledby="admin-ended-title"
    >
      <Modal.Body>
        <div className="auth-main">
          <h2 id="admin-ended-title">Admin Access</h2>
          <p className="page-subtitle">
            Your admin session has ended. {way === 'passcode' ? 'Enter the passcode again' : 'Sign in again'}{' '}
            to go on where you were; nothing you typed is lost.
          </p>
          <div className="card auth-card">
            <AdminSignIn
              way={way}
              onSwitch={canSwitch ? setWay : undefined}
              onOpen={onOpen}
              autoFocus
              isReopening
            />
          </div>
          <button type="button" className="btn btn-outline-secondary admin-ended-leave" onClick={onLeave}>
            Close the admin area
          </button>
        </div>
      </Modal.Body>
    </Modal>
  );
}
