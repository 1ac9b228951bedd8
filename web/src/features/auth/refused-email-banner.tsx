import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';

/** Says over every screen, until e-mails arrive again, that the address accepts none. */
export function RefusedEmailBanner({ user }: { user: User }) {
  return (
    <section className="verify-email" aria-label={t`Email address not working`}>
      <p>
        <Trans>
          Our emails to <strong>{user.email}</strong> come back: the address does not exist or does not accept
          mail. Until you change it, you get no emails from us.
        </Trans>
      </p>
      <Link className="btn btn-outline-secondary" to="/profile">
        <Trans>Change email address</Trans>
      </Link>
    </section>
  );
}
