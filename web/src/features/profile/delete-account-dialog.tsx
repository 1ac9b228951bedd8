import { deleteAccountBody } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { z } from 'zod';
import { useOffersPro, useSubscription } from '../../api/billing.ts';
import { useDeleteAccount } from '../../api/profile.ts';
import { Button } from '../../components/button.tsx';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { FormField } from '../../components/form-field.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CurrentPasswordField } from './current-password-field.tsx';

/** The word to type, in the reader's language. */
const confirmationWord = () => t`DELETE`;
const typeToConfirm = () => t`Type ${confirmationWord()} to confirm`;
const deletionForm = deleteAccountBody.extend({
  confirmation: z.string().refine((typed) => typed === confirmationWord(), { error: typeToConfirm }),
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
      <DialogHeader title={t`Delete your account?`} titleId="delete-account-title" />
      <DeletionForm deletion={deletion} onCancel={hide} />
    </Modal>
  );
}

interface DeletionFormProps {
  deletion: ReturnType<typeof useDeleteAccount>;
  onCancel: () => void;
}

function DeletionForm({ deletion, onCancel }: DeletionFormProps) {
  const offersPro = useOffersPro();
  const { data: subscription } = useSubscription();
  const toast = useToast();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['confirmation', 'currentPassword'],
    schema: deletionForm,
    toValues: ({ confirmation, currentPassword }) => ({ confirmation: confirmation.trim(), currentPassword }),
    submit: async ({ currentPassword }) => {
      await deletion.mutateAsync(currentPassword);
      toast({
        title: t`Account deleted`,
        description: t`Your account and your saved cases have been deleted.`,
      });
    },
    onRefused: (error) => fail(error, t`Failed to delete account. Please try again.`),
  });

  return (
    <form {...formProps}>
      <Modal.Body className="form-stack">
        <p className="mb-0">
          <Trans>
            Your account, your saved cases and their nicknames will be deleted. This can’t be undone.
          </Trans>
        </p>
        {(subscription?.canCancel || subscription?.canResume) && (
          <p className="mb-0">
            {subscription.trialEndsAt === null ? (
              <Trans>
                Your subscription ends at once. You will not be charged again, and the time that is left is
                not refunded.
              </Trans>
            ) : (
              <Trans>Your free trial ends at once. You will not be charged.</Trans>
            )}
          </p>
        )}
        {offersPro && (
          <p className="mb-0">
            <Trans>
              If you had a free trial, we keep an encrypted record that your email address and card were used
              for one. It does not contain them and does not identify you.
            </Trans>
          </p>
        )}
        <FormField
          label={typeToConfirm()}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.confirmation}
        />
        <CurrentPasswordField error={errors.currentPassword} refusal={deletion.error} />
      </Modal.Body>
      <Modal.Footer>
        <Button look="secondary" disabled={deletion.isPending} onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <button type="submit" className="btn btn-danger" disabled={deletion.isPending}>
          {deletion.isPending ? t`Deleting...` : t`Delete account`}
        </button>
      </Modal.Footer>
    </form>
  );
}

/** Renders the way to delete the account, kept apart from everything else. */
export function DeleteAccount() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section className="card profile-card" aria-labelledby="delete-account">
      <h2 id="delete-account">
        <Trans>Delete account</Trans>
      </h2>
      <div className="profile-row">
        <p>
          <Trans>Deletes your account and your saved cases. This can’t be undone.</Trans>
        </p>
        <button type="button" className="btn btn-outline-danger btn-sm" onClick={() => setIsAsking(true)}>
          <Trans>Delete account</Trans>
        </button>
      </div>
      <DeleteAccountDialog show={isAsking} onHide={() => setIsAsking(false)} />
    </section>
  );
}
