import { Link } from 'react-router-dom';
import { Icon } from '../../components/icon.tsx';

/** For someone who has nothing to pay here. */
export function AlreadySubscribed() {
  return (
    <section className="card upgrade-message" aria-labelledby="already-subscribed">
      <Icon name="check-circle" size={28} />
      <h2 id="already-subscribed">Already Subscribed</h2>
      <p>You already have an active Pro subscription!</p>
      <p className="upgrade-actions">
        <Link className="btn btn-primary" to="/">
          Go to Search
        </Link>
        <Link className="btn btn-outline-secondary" to="/profile">
          See your plan
        </Link>
      </p>
    </section>
  );
}
