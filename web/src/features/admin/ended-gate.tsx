import Modal from 'react-bootstrap/Modal';
import { PasscodeForm } from './passcode-form.tsx';

interface EndedGateProps {
  onOpen: (idleSeconds: number) => void;
  /** Gives up what lies beneath. */
  onLeave: () => void;
}

/** Covers the admin area, and any dialog of it, when its session has ended; what lies beneath stays as it was. */
export function EndedGate({ onOpen, onLeave }: EndedGateProps) {
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
            Your admin session has ended. Enter the passcode again to go on where you were; nothing you typed
            is lost.
          </p>
          <div className="card auth-card">
            <PasscodeForm onOpen={onOpen} autoFocus />
          </div>
          <button type="button" className="btn btn-outline-secondary admin-ended-leave" onClick={onLeave}>
            Close the admin area
          </button>
        </div>
      </Modal.Body>
    </Modal>
  );
}
