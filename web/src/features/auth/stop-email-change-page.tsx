import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useStopEmailChange } from '../../api/recovery.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { ErrorReference } from '../../components/error-reference.tsx';
import { isWholeToken, withLinkToken } from '../../lib/with-link-token.tsx';
import { CardPage } from '../layout/card-page.tsx';
import { LinkNotValid, OutcomePage } from './outcome-page.tsx';

/** Where the link in the notice of a requested change leads: asks for a click, because programs that scan mail open links too. */
export const StopEmailChangePage = withLinkToken(({ token }) => {
  const stop = useStopEmailChange();
  if (!isWholeToken(token) || hasCode(stop.error, 'LINK_INVALID')) {
    return (
      <LinkNotValid to="/forgot-password" action={t`Choose a new password`}>
        <Trans>
          It has expired, was not copied completely, or there is no longer a change to stop. If you did not
          ask for a change, choose a new password.
        </Trans>
      </LinkNotValid>
    );
  }
  if (stop.isSuccess) {
    return (
      <OutcomePage
        title={t`Change stopped`}
        role="status"
        to="/forgot-password"
        action={t`Choose a new password`}
      >
        <Trans>
          Your email address stays the same. If you did not ask for the change, someone knows your password:
          choose a new one.
        </Trans>
      </OutcomePage>
    );
  }
  return (
    <CardPage
      key="ask"
      heading={{ title: t`Stop the change of your email address?`, documentTitle: t`Stop email change` }}
    >
      <div className="form-stack">
        <p className="mb-0">
          <Trans>
            Your account will keep its current email address. If you asked for the change yourself, close this
            page.
          </Trans>
        </p>
        {stop.isError && (
          <div role="alert">
            <p className="mb-0">{failureText(stop.error, retryAdvice(stop.error))}</p>
            <ErrorReference error={stop.error} />
          </div>
        )}
        <button
          type="button"
          className="btn btn-primary btn-lg"
          disabled={stop.isPending}
          onClick={() => stop.mutate(token)}
        >
          {stop.isPending ? t`Stopping the change...` : t`Stop the change`}
        </button>
      </div>
    </CardPage>
  );
});
