import { Link } from 'react-router-dom';
import { PageHeading } from '../components/page-heading.tsx';

export function NotFoundPage() {
  return (
    <div className="message-page">
      <PageHeading title="404 Page Not Found" />
      <p>There is nothing at this address. It may have been typed wrong, or the page has moved.</p>
      <p className="message-page-actions">
        <Link className="btn btn-primary" to="/">
          Go to Search
        </Link>
      </p>
    </div>
  );
}
