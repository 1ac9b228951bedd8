import { confirmEmailForm } from '@casewatch/contracts/account-recovery';
import { signInPath } from '@casewatch/contracts/app-pages';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useOffersPro } from '../../api/billing.ts';
import { useConfirmEmail } from '../../api/recovery.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { ErrorReference } from '../../components/error-reference.tsx';
import { FormField } from '../../components/form-field.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { isWholeToken, withLinkToken } from '../../lib/with-link-token.tsx';
import { CardPage } from '../layout/card-page.tsx';
import { LinkNotValid, OutcomePage } from './outcome-page.tsx';

/** Where the link of an e-mail leads. Opening it changes nothing, because programs that scan mail open links too; the form does. */
export const ConfirmEmailPage = withLinkToken(({ token }) => {
  const confirm = useConfirmEmail();
  const offersPro = useOffersPro();
  if (!isWholeToken(token) || hasCode(confirm.error, 'LINK_INVALID')) {
    return (
      <LinkNotValid to={signInPath('/profile')} action={t`Open your profile`}>
        <Trans>
          It has expired, was already used, or was not copied completely. Sign in and choose “Send again” to
          get a new one.
        </Trans>
      </LinkNotValid>
    );
  }
  if (confirm.isSuccess) {
    return (
      <OutcomePage title={t`Email address confirmed`} role="status" to="/" action={t`Continue to Casewatch`}>
        {offersPro ? (
          <Trans>
            Thank you. You can now get emails when a case’s status changes, and{' '}
            <Link to="/upgrade">upgrade to Pro</Link>.
          </Trans>
        ) : (
          <Trans>Thank you. You can now get emails from us.</Trans>
        )}
        {confirm.data.isFirstProof && (
          <>
            {' '}
            <Trans>
              For your security, all other devices were logged out, and passkeys that were added before were
              removed.
            </Trans>
          </>
        )}
      </OutcomePage>
    );
  }
  return (
    <CardPage key="ask" heading={{ title: t`Confirm your email address`, documentTitle: t`Confirm email` }}>
      <ConfirmForm confirm={confirm} token={token} />
    </CardPage>
  );
});

function ConfirmForm({ confirm, token }: { confirm: ReturnType<typeof useConfirmEmail>; token: string }) {
  const { errors, formProps } = useCheckedForm({
    fields: ['currentPassword'],
    schema: confirmEmailForm,
    toValues: (texts) => texts,
    submit: ({ currentPassword }) => confirm.mutateAsync({ token, currentPassword }),
    // The page says it.
    onRefused: () => undefined,
  });
  const isWrong = hasCode(confirm.error, 'WRONG_PASSWORD');
  return (
    <form {...formProps} className="form-stack">
      <p className="mb-0">
        <Trans>
          Enter the password of your Casewatch account to confirm that this email address is yours. When you
          confirm a new account, all other devices are logged out, and passkeys that were added before are
          removed.
        </Trans>
      </p>
      <FormField
        label={t`Password`}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        error={
          errors.currentPassword ??
          (isWrong
            ? failureText(confirm.error, t`The password is not correct. Please try again.`)
            : undefined)
        }
      />
      {confirm.isError && !isWrong && (
        <div role="alert">
          <p className="mb-0">{failureText(confirm.error, retryAdvice(confirm.error))}</p>
          <ErrorReference error={confirm.error} />
        </div>
      )}
      <button type="submit" className="btn btn-primary btn-lg" disabled={confirm.isPending}>
        {confirm.isPending ? t`Confirming...` : t`Confirm email address`}
      </button>
      <p className="mb-0">
        <Trans>
          Don’t know the password, or did someone else create this account?{' '}
          <Link to="/forgot-password">Choose a new password</Link> to take over the account.
        </Trans>
      </p>
    </form>
  );
}
