import type { ComponentPropsWithRef, ReactNode } from 'react';
import Modal from 'react-bootstrap/Modal';
import { Button } from '../../../components/button.tsx';
import { DialogHeader } from '../../../components/dialog-header.tsx';

interface EditorDialogProps {
  title: string;
  formProps: ComponentPropsWithRef<'form'>;
  submitLabel: string;
  isPending: boolean;
  onHide: () => void;
  children: ReactNode;
}

/** Renders a form in a dialog. A press outside it does not close it: what is typed is not lost by a slip. */
export function EditorDialog({
  title,
  formProps,
  submitLabel,
  isPending,
  onHide,
  children,
}: EditorDialogProps) {
  const hide = () => {
    if (!isPending) onHide();
  };
  return (
    <Modal
      animation={false}
      show
      backdrop="static"
      onHide={hide}
      scrollable
      dialogClassName="editor-dialog"
      aria-labelledby="editor-title"
    >
      <DialogHeader title={title} titleId="editor-title" onClose={hide} />
      <form {...formProps} className="editor-form">
        <Modal.Body className="form-stack">{children}</Modal.Body>
        <Modal.Footer>
          <Button look="secondary" disabled={isPending} onClick={hide}>
            Cancel
          </Button>
          <button type="submit" className="btn btn-primary" disabled={isPending}>
            {isPending ? 'Saving...' : submitLabel}
          </button>
        </Modal.Footer>
      </form>
    </Modal>
  );
}
