import { adminProofBody } from '@casewatch/contracts/admin-passkeys';
import type { Passkey } from '@casewatch/contracts/passkeys';
import { useRef, useState } from 'react';
import { useAddAdminPasskey, useAdminPasskeys, useRemoveAdminPasskey } from '../../../api/admin-session.ts';
import { failureText } from '../../../api/api-error.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { useFailureToast, useToast } from '../../../components/toast/toast-provider.tsx';
import { formatMoment } from '../../../lib/format-moment.ts';
import { hasPasskeys, isDismissed } from '../../../lib/passkey-support.ts';
import { useCheckedForm } from '../../../lib/use-checked-form.ts';

/** Renders how the signed-in administrator gets in: their passkeys, in addition to password and code. */
export function AccountTab() {
  const { data: passkeys, isError } = useAdminPasskeys();
  const [removing, setRemoving] = useState<Passkey>();
  const remove = useRemoveAdminPasskey();
  const toast = useToast();
  const fail = useFailureToast();
  const heading = useRef<HTMLHeadingElement>(null);

  const run = async ({ id, name }: Passkey) => {
    try {
      await remove.mutateAsync(id);
      toast({
        title: 'Passkey removed',
        description: `${name} can no longer be used to sign in to the admin area.`,
      });
    } catch (error) {
      fail(error, 'The passkey could not be removed.', 'Error');
    }
    setRemoving(undefined);
  };

  return (
    <section className="admin-account" aria-labelledby="admin-account">
      <h2 id="admin-account">Your account</h2>
      <div className="card card-body">
        <h3 ref={heading} tabIndex={-1}>
          Your passkeys
        </h3>
        <p>
          You can sign in to the admin area with a passkey instead of your password and code, which keep
          working.
        </p>
        {isError && <p role="alert">Your passkeys can’t be shown right now. Reload the page to try again.</p>}
        {passkeys?.length === 0 && <p>You have no passkeys yet.</p>}
        <ul className="admin-passkeys" aria-live="polite">
          {passkeys?.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <p>
                  {passkey.isSynced ? 'Synced between your devices' : 'On one device only'}, added{' '}
                  {formatMoment(passkey.createdAt)},{' '}
                  {passkey.lastUsedAt === null
                    ? 'not used yet'
                    : `last used ${formatMoment(passkey.lastUsedAt)}`}
                </p>
              </div>
              <Button
                aria-label={`Remove ${passkey.name}, added ${formatMoment(passkey.createdAt)}`}
                onClick={() => setRemoving(passkey)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
        {hasPasskeys() ? <AddForm /> : <p>This browser can’t add passkeys.</p>}
      </div>
      <ConfirmDialog
        show={removing !== undefined}
        title="Remove this passkey?"
        confirmLabel="Remove passkey"
        destructive
        pending={remove.isPending}
        onConfirm={() => removing && void run(removing)}
        onHide={() => setRemoving(undefined)}
        // The button is removed with its passkey.
        onExited={() => heading.current?.focus()}
      >
        <p>
          {removing?.name} can no longer be used to sign in to the admin area. Your password and code still
          work.
        </p>
      </ConfirmDialog>
    </section>
  );
}

function AddForm() {
  const add = useAddAdminPasskey();
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['password', 'code'],
    schema: adminProofBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      const { name } = await add.mutateAsync(values);
      formProps.ref.current?.reset();
      toast({ title: 'Passkey added', description: `It is called ${name}.` });
    },
    onRefused: (error) =>
      toast({
        title: 'No passkey added',
        description: isDismissed(error)
          ? 'The dialog was closed. Try again with a new code.'
          : failureText(error, 'The passkey could not be added. Try again with a new code.'),
        variant: 'destructive',
        error,
      }),
  });
  return (
    <form {...formProps} className="form-stack" aria-labelledby="admin-passkey-add">
      <h4 id="admin-passkey-add">Add a passkey</h4>
      <FormField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <FormField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Six digits of your authenticator app, not the ones you signed in with, or a recovery code."
        error={errors.code}
      />
      <div>
        <button type="submit" className="btn btn-primary" disabled={add.isPending}>
          {add.isPending ? 'Please wait...' : 'Add a passkey'}
        </button>
      </div>
    </form>
  );
}
