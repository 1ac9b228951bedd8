import { newPasswordForm } from '@casewatch/contracts/account-recovery';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { hasCode } from '../../api/api-error.ts';
import { useResetPassword } from '../../api/recovery.ts';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useFailureToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { isWholeToken, withLinkToken } from '../../lib/with-link-token.tsx';
import { CardPage } from '../layout/card-page.tsx';
import { LinkNotValid, OutcomePage } from './outcome-page.tsx';

/** Where the link of an e-mail leads. Opening it changes nothing; the form does. */
export const ResetPasswordPage = withLinkToken(({ token }) => {
  const reset = useResetPassword();
  if (!isWholeToken(token) || hasCode(reset.error, 'LINK_INVALID')) {
    return (
      <LinkNotValid to="/forgot-password" action={t`Request a new link`}>
        <Trans>
          It has expired, was already used, or was not copied completely. Request a new one; it works for 30
          minutes.
        </Trans>
      </LinkNotValid>
    );
  }
  if (reset.isSuccess) {
    return (
      <OutcomePage title={t`Password changed`} role="status" to="/auth" action={t`Sign in`}>
        <Trans>Your new password is set, and you have been logged out on all devices.</Trans>
        {reset.data.isFirstProof && (
          <>
            {' '}
            <Trans>
              Your email address is now confirmed. For your security, passkeys that were added before were
              removed.
            </Trans>
          </>
        )}
      </OutcomePage>
    );
  }
  return (
    <CardPage
      key="choose"
      heading={{
        title: t`Choose a new password`,
        subtitle: t`You will be logged out on all devices.`,
        documentTitle: t`Choose a new password`,
      }}
    >
      <NewPasswordForm reset={reset} token={token} />
    </CardPage>
  );
});

function NewPasswordForm({ reset, token }: { reset: ReturnType<typeof useResetPassword>; token: string }) {
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['newPassword'],
    schema: newPasswordForm,
    toValues: (texts) => texts,
    submit: ({ newPassword }) => reset.mutateAsync({ token, newPassword }),
    onRefused: (error) => {
      if (hasCode(error, 'LINK_INVALID')) return;
      fail(error, t`Failed to change password. Please try again.`);
    },
  });
  return (
    <form {...formProps} className="form-stack">
      <NewPasswordField label={t`New Password`} name="newPassword" error={errors.newPassword} />
      <button type="submit" className="btn btn-primary btn-lg" disabled={reset.isPending}>
        {reset.isPending ? t`Saving...` : t`Change password`}
      </button>
    </form>
  );
}
