import { t } from '@lingui/core/macro';
import Modal from 'react-bootstrap/Modal';
import { Icon } from './icon.tsx';

interface DialogHeaderProps {
  title: string;
  /** For the dialog's `aria-labelledby`. */
  titleId: string;
  /** Shows a cross that calls it. */
  onClose?: () => void;
}

/** Renders the top of a dialog: its name, and a way out where there is one. */
export function DialogHeader({ title, titleId, onClose }: DialogHeaderProps) {
  return (
    <Modal.Header>
      <Modal.Title as="h2" id={titleId}>
        {title}
      </Modal.Title>
      {onClose !== undefined && (
        <button type="button" className="icon-button" aria-label={t`Close`} onClick={onClose}>
          <Icon name="x" size={20} />
        </button>
      )}
    </Modal.Header>
  );
}
