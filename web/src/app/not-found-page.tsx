import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { PageHeading } from '../components/page-heading.tsx';

export function NotFoundPage() {
  return (
    <div className="message-page">
      <PageHeading title={t`404 Page Not Found`} />
      <p>
        <Trans>There is nothing at this address. It may have been typed wrong, or the page has moved.</Trans>
      </p>
      <p className="message-page-actions">
        <Link className="btn btn-primary" to="/">
          <Trans>Go to Search</Trans>
        </Link>
      </p>
    </div>
  );
}
