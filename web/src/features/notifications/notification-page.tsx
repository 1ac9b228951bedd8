import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { ApiError } from '../../api/api-error.ts';
import { useMarkRead } from '../../api/notifications.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { useMe } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ErrorReference } from '../../components/error-reference.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { pathOf } from './notification-words.ts';

/**
 * Renders where the link of an e-mail leads: to what its notification is about, which is read with that. The
 * address names no receipt number, since outsiders read and keep e-mails.
 */
export function NotificationPage() {
  const { id = '' } = useParams();
  const { user } = useMe();
  const { mutate: open, data, error } = useMarkRead(user?.id ?? '');
  useEffect(() => open(id), [id, open]);

  if (data) return <Navigate to={pathOf(data)} replace />;
  if (!error) return <Spinner label={t`Opening your case...`} />;
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <div className="message-page" role="alert">
      <PageHeading title={isMissing ? t`Notification not found` : t`Your case could not be opened`} />
      <p>
        {isMissing
          ? t`It may belong to another account, or it may have been removed. Your saved cases are not affected.`
          : retryAdvice(error)}
      </p>
      <ErrorReference error={error} />
      <p className="message-page-actions">
        {!isMissing && (
          <Button look="primary" onClick={() => open(id)}>
            <Trans>Try again</Trans>
          </Button>
        )}
        <Link className="btn btn-outline-secondary" to="/saved-cases">
          <Trans>Go to Saved Cases</Trans>
        </Link>
      </p>
    </div>
  );
}
