import { isStoppableMail, type StoppableMail } from '@casewatch/contracts/notification-choices';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { failureText } from '../../api/api-error.ts';
import { useUnsubscribe } from '../../api/notification-preferences.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { Button } from '../../components/button.tsx';
import { ErrorReference } from '../../components/error-reference.tsx';
import { withLinkToken } from '../../lib/with-link-token.tsx';
import { CardPage } from '../layout/card-page.tsx';

interface MailTexts {
  question: MessageDescriptor;
  /** What to think of before. */
  warning?: MessageDescriptor;
  /** Once they are stopped. */
  stopped: MessageDescriptor;
}

const ALL: MailTexts = {
  question: msg`Stop emails about your cases?`,
  warning: msg`You could miss a deadline.`,
  stopped: msg`You won’t get emails when a case’s status changes. You can turn them back on in your profile.`,
};
const BY_KIND: Record<StoppableMail, MailTexts> = {
  status: {
    question: msg`Stop emails about status changes?`,
    stopped: msg`You won’t get emails about status changes. You will still get our other emails. You can turn these back on in your profile.`,
  },
  needsAction: {
    question: msg`Stop emails about statuses that need action?`,
    warning: msg`You could miss a deadline.`,
    stopped: msg`You won’t get emails about statuses that need action. You will still get our other emails. You can turn these back on in your profile.`,
  },
  dates: {
    question: msg`Stop emails that remind you of dates?`,
    warning: msg`You could miss a deadline.`,
    stopped: msg`You won’t get emails that remind you of dates. You will still get our other emails. You can turn these back on in your profile.`,
  },
  digest: {
    question: msg`Stop the digest emails?`,
    stopped: msg`You won’t get digest emails. You will still get our other emails. You can turn these back on in your profile.`,
  },
};

/**
 * Where the link at the end of an e-mail leads: asks, and stops the e-mails of its kind, or all. Works signed in and
 * signed out.
 */
export const UnsubscribePage = withLinkToken(({ token }) => {
  const unsubscribe = useUnsubscribe();
  const kind = token.split('.')[1] ?? '';
  // The server reads the kind from the token, too; a link that is cut off has none.
  const about = isStoppableMail(kind) ? BY_KIND[kind] : undefined;
  const texts = (!unsubscribe.variables?.all && about) || ALL;
  const asked = about ?? ALL;
  return (
    <CardPage
      heading={{
        title: unsubscribe.isSuccess ? t`You are unsubscribed` : i18n._(asked.question),
        documentTitle: t`Unsubscribe`,
      }}
    >
      {unsubscribe.isSuccess ? (
        <p role="status" className="mb-0">
          {i18n._(texts.stopped)}
        </p>
      ) : (
        <div className="form-stack">
          <p>
            {asked.warning && `${i18n._(asked.warning)} `}
            {about === undefined
              ? t`If you stop them, we won’t email you when a case’s status changes. You can still see changes in Casewatch.`
              : t`You will still get our other emails, unless you stop all of them.`}
          </p>
          {unsubscribe.isError && (
            <div role="alert">
              <p className="mb-0">{failureText(unsubscribe.error, retryAdvice(unsubscribe.error))}</p>
              <ErrorReference error={unsubscribe.error} />
            </div>
          )}
          <button
            type="button"
            className="btn btn-primary btn-lg"
            disabled={unsubscribe.isPending}
            onClick={() => unsubscribe.mutate({ token, all: false })}
          >
            {unsubscribe.isPending ? t`Stopping...` : t`Stop emails`}
          </button>
          {about !== undefined && (
            <Button
              look="secondary"
              disabled={unsubscribe.isPending}
              onClick={() => unsubscribe.mutate({ token, all: true })}
            >
              <Trans>Stop all emails about my cases</Trans>
            </Button>
          )}
        </div>
      )}
    </CardPage>
  );
});
