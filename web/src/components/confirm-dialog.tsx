import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { Button } from './button.tsx';
import { DialogHeader } from './dialog-header.tsx';

interface ConfirmDialogProps {
  show: boolean;
  title: string;
  children?: ReactNode;
  /** What the confirming button says; name the act ('Delete account'), not 'OK'. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Colours the confirming button as one that destroys something. */
  destructive?: boolean;
  /** While true both buttons rest, and the dialog can't be closed. */
  pending?: boolean;
  /** While false the confirming button rests: what the dialog asks about is not known yet. */
  canConfirm?: boolean;
  onConfirm: () => void;
  onHide: () => void;
  /** Called once the dialog is closed. After a yes it says where the focus goes; else that is where it was before. */
  onExited?: () => void;
}

/** Asks before something that can't be taken back. Escape and the backdrop mean no. */
export function ConfirmDialog({
  show,
  title,
  children,
  confirmLabel,
  cancelLabel = t`Cancel`,
  destructive = false,
  pending = false,
  canConfirm = true,
  onConfirm,
  onHide,
  onExited,
}: ConfirmDialogProps) {
  const [isConfirmed, setIsConfirmed] = useState(false);
  const confirm = () => {
    if (pending || !canConfirm) return;
    setIsConfirmed(true);
    onConfirm();
  };
  const hide = () => {
    if (!pending) onHide();
  };
  return (
    <Modal
      animation={false}
      show={show}
      onHide={hide}
      onShow={() => setIsConfirmed(false)}
      onExited={() => onExited?.()}
      restoreFocus={!isConfirmed || onExited === undefined}
      centered
      aria-labelledby="confirm-dialog-title"
    >
      <DialogHeader title={title} titleId="confirm-dialog-title" />
      {children !== undefined && <Modal.Body>{children}</Modal.Body>}
      <Modal.Footer>
        <Button look="secondary" aria-disabled={pending} onClick={hide}>
          {cancelLabel}
        </Button>
        <button
          type="button"
          className={`btn ${destructive ? 'btn-danger' : 'btn-primary'}`}
          aria-disabled={pending || !canConfirm}
          onClick={confirm}
        >
          {confirmLabel}
        </button>
      </Modal.Footer>
    </Modal>
  );
}
