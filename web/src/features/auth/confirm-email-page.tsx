import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useConfirmEmail } from '../../api/recovery.ts';
import { ErrorReference } from '../../components/error-reference.tsx';
import { CardPage } from '../layout/card-page.tsx';
import { LinkNotValid, OutcomePage } from './outcome-page.tsx';
import { linkToken } from './typed-email.ts';

/** Where the link of an e-mail leads: asks for a click, because programs that scan mail open links too. */
export function ConfirmEmailPage() {
  const [token] = useState(() => linkToken(window.location.hash));
  const confirm = useConfirmEmail();
  if (token === undefined || hasCode(confirm.error, 'LINK_INVALID')) {
    return (
      <LinkNotValid to="/profile" action={t`Open your profile`}>
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
        <Trans>Thank you. You can now get emails when a case changes, and upgrade to Pro.</Trans>
      </OutcomePage>
    );
  }
  return (
    <CardPage key="ask" heading={{ title: t`Confirm your email address`, documentTitle: t`Confirm Email` }}>
      <div className="form-stack">
        <p className="mb-0">
          <Trans>
            Confirm that you use Casewatch with this email address. If you did not create an account, close
            this page.
          </Trans>
        </p>
        {confirm.isError && (
          <div role="alert">
            <p className="mb-0">{failureText(confirm.error, t`Check your connection and try again.`)}</p>
            <ErrorReference error={confirm.error} />
          </div>
        )}
        <button
          type="button"
          className="btn btn-primary btn-lg"
          disabled={confirm.isPending}
          onClick={() => confirm.mutate(token)}
        >
          {confirm.isPending ? t`Confirming...` : t`Confirm email address`}
        </button>
      </div>
    </CardPage>
  );
}
