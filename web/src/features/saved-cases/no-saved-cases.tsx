import { Link } from 'react-router-dom';
import { Icon } from '../../components/icon.tsx';

export function NoSavedCases() {
  return (
    <div className="card saved-cases-message">
      <Icon name="bookmark" size={32} />
      <h2>No saved cases yet</h2>
      <p>Search for a case and save it to find it here.</p>
      <Link className="btn btn-primary" to="/">
        Search for a case
      </Link>
    </div>
  );
}
