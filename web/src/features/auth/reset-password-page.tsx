import { newPasswordForm } from '@casewatch/contracts/account-recovery';
import { useState } from 'react';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useResetPassword } from '../../api/recovery.ts';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CardPage } from '../layout/card-page.tsx';
import { LinkNotValid, OutcomePage } from './outcome-page.tsx';
import { linkToken } from './typed-email.ts';

const FIELDS = ['newPassword'] as const;

/** Where the link of an e-mail leads. Opening it changes nothing; the form does. */
export function ResetPasswordPage() {
  // Kept from when the page was opened: going elsewhere within the page changes the address.
  const [token] = useState(() => linkToken(window.location.hash));
  const reset = useResetPassword();
  if (token === undefined || hasCode(reset.error, 'LINK_INVALID')) {
    return (
      <LinkNotValid to="/forgot-password" action="Request a new link">
        It has expired, was used before, or was not copied as a whole. Request a new one; it works for 30
        minutes.
      </LinkNotValid>
    );
  }
  if (reset.isSuccess) {
    return (
      <OutcomePage title="Password changed" role="status" to="/auth" action="Sign in">
        Your new password is set, and you have been signed out on all devices.
      </OutcomePage>
    );
  }
  return (
    <CardPage
      key="choose"
      heading={{
        title: 'Choose a new password',
        subtitle: 'You will be signed out on all devices.',
        documentTitle: 'Choose a New Password',
      }}
    >
      <NewPasswordForm reset={reset} token={token} />
    </CardPage>
  );
}

function NewPasswordForm({ reset, token }: { reset: ReturnType<typeof useResetPassword>; token: string }) {
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: newPasswordForm,
    toValues: (texts) => texts,
    submit: ({ newPassword }) => reset.mutateAsync({ token, newPassword }),
    onRefused: (error) => {
      if (hasCode(error, 'LINK_INVALID')) return;
      toast({
        title: 'Error',
        description: failureText(error, 'Failed to change password'),
        variant: 'destructive',
        error,
      });
    },
  });
  return (
    <form {...formProps} className="form-stack">
      <NewPasswordField label="New Password" name="newPassword" error={errors.newPassword} />
      <button type="submit" className="btn btn-primary btn-lg" disabled={reset.isPending}>
        {reset.isPending ? 'Saving...' : 'Change password'}
      </button>
    </form>
  );
}
