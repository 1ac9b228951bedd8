import { isStoppableMail, type StoppableMail } from '@casewatch/contracts/notification-choices';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { failureText } from '../../api/api-error.ts';
import { useUnsubscribe } from '../../api/notification-preferences.ts';
import { Button } from '../../components/button.tsx';
import { ErrorReference } from '../../components/error-reference.tsx';
import { withLinkToken } from '../../lib/with-link-token.tsx';
import { CardPage } from '../layout/card-page.tsx';

interface MailTexts {
  question: MessageDescriptor;
  /** Once they are stopped. */
  stopped: MessageDescriptor;
}

const ALL: MailTexts = {
  question: msg`Stop emails about your cases?`,
  stopped: msg`You will get no more emails when a case changes. You can turn them on again in your profile.`,
};
const BY_KIND: Record<StoppableMail, MailTexts> = {
  status: {
    question: msg`Stop emails about status changes?`,
    stopped: msg`You will get no more emails about status changes. You still get our other emails. You can turn them on again in your profile.`,
  },
  needsAction: {
    question: msg`Stop emails about statuses that need action?`,
    stopped: msg`You will get no more emails about statuses that need action. You still get our other emails. You can turn them on again in your profile.`,
  },
  digest: {
    question: msg`Stop the digest emails?`,
    stopped: msg`You will get no more digest emails. You still get our other emails. You can turn them on again in your profile.`,
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
  return (
    <CardPage
      heading={{
        title: unsubscribe.isSuccess ? t`You are unsubscribed` : i18n._((about ?? ALL).question),
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
            {about === undefined
              ? t`If you stop them, we no longer email you when a case changes. You can still see changes in Casewatch.`
              : t`You still get our other emails, unless you stop all of them.`}
          </p>
          {unsubscribe.isError && (
            <div role="alert">
              <p className="mb-0">
                {failureText(unsubscribe.error, t`Check your connection and try again.`)}
              </p>
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
