import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Icon } from '../../components/icon.tsx';

/** For someone who has nothing to pay here. */
export function AlreadySubscribed() {
  return (
    <section className="card upgrade-message" aria-labelledby="already-subscribed">
      <Icon name="check-circle" size={28} />
      <h2 id="already-subscribed">
        <Trans>Already Subscribed</Trans>
      </h2>
      <p>
        <Trans>You already have an active Pro subscription!</Trans>
      </p>
      <p className="upgrade-actions">
        <Link className="btn btn-primary" to="/">
          <Trans>Go to Search</Trans>
        </Link>
        <Link className="btn btn-outline-secondary" to="/profile">
          <Trans>See your plan</Trans>
        </Link>
      </p>
    </section>
  );
}
