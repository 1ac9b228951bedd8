import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CardPage } from '../layout/card-page.tsx';

interface OutcomePageProps {
  title: string;
  documentTitle?: string;
  /** `alert` for a failure, `status` for a success. */
  role: 'alert' | 'status';
  children: ReactNode;
  /** Where its button leads. */
  to: string;
  action: string;
}

/** Renders what has come of a link in an e-mail, and the way on. */
export function OutcomePage({ title, documentTitle = title, role, children, to, action }: OutcomePageProps) {
  return (
    <CardPage key={title} heading={{ title, documentTitle }}>
      <div className="form-stack">
        <p role={role} className="mb-0">
          {children}
        </p>
        <Link to={to} className="btn btn-primary btn-lg">
          {action}
        </Link>
      </div>
    </CardPage>
  );
}

/** Renders a notice for a link that is expired, used or cut off; `children` says how to get another. */
export function LinkNotValid(props: Pick<OutcomePageProps, 'children' | 'to' | 'action'>) {
  return (
    <OutcomePage
      {...props}
      title={t`This link does not work`}
      documentTitle={t`Link not valid`}
      role="alert"
    />
  );
}
