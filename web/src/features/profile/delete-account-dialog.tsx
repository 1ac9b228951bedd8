import { deleteAccountBody } from '@casewatch/contracts/identity';
import Modal from 'react-bootstrap/Modal';
import { z } from 'zod';
import { failureText } from '../../api/api-error.ts';
import { useDeleteAccount } from '../../api/profile.ts';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { FormField } from '../../components/form-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CurrentPasswordField } from './current-password-field.tsx';

const FIELDS = ['confirmation', 'currentPassword'] as const;
const CONFIRMATION = 'DELETE';
const deletionForm = deleteAccountBody.extend({
  confirmation: z.literal(CONFIRMATION, `Type ${CONFIRMATION} to confirm`),
});

interface DeleteAccountDialogProps {
  show: boolean;
  onHide: () => void;
}

/** Deletes the account once a word is typed and the password given. Nothing happens by a click alone. */
export function DeleteAccountDialog({ show, onHide }: DeleteAccountDialogProps) {
  const deletion = useDeleteAccount();
  const hide = () => {
    if (deletion.isPending) return;
    deletion.reset();
    onHide();
  };
  return (
    <Modal animation={false} show={show} onHide={hide} centered aria-labelledby="delete-account-title">
      <DialogHeader title="Delete your account?" titleId="delete-account-title" />
      <DeletionForm deletion={deletion} onCancel={hide} />
    </Modal>
  );
}

interface DeletionFormProps {
  deletion: ReturnType<typeof useDeleteAccount>;
  onCancel: () => void;
}

function DeletionForm({ deletion, onCancel }: DeletionFormProps) {
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: deletionForm,
    toValues: ({ confirmation, currentPassword }) => ({ confirmation: confirmation.trim(), currentPassword }),
    submit: async ({ currentPassword }) => {
      await deletion.mutateAsync(currentPassword);
      toast({ title: 'Account deleted', description: 'Your account and your saved cases are gone.' });
    },
    onRefused: (error) =>
      toast({
        title: 'Error',
        description: failureText(error, 'Failed to delete account'),
        variant: 'destructive',
        error,
      }),
  });

  return (
    <form {...formProps}>
      <Modal.Body className="form-stack">
        <p className="mb-0">
          Your account, your saved cases and their nicknames will be deleted. This can't be undone.
        </p>
        <FormField
          label={`Type ${CONFIRMATION} to confirm`}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.confirmation}
        />
        <CurrentPasswordField error={errors.currentPassword} refusal={deletion.error} />
      </Modal.Body>
      <Modal.Footer>
        <button
          type="button"
          className="btn btn-outline-secondary"
          disabled={deletion.isPending}
          onClick={onCancel}
        >
          Cancel
        </button>
        <button type="submit" className="btn btn-danger" disabled={deletion.isPending}>
          {deletion.isPending ? 'Deleting...' : 'Delete account'}
        </button>
      </Modal.Footer>
    </form>
  );
}
