import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../components/icon.tsx';

/** `takesFocus` when the last case has just gone, and the focus with it. */
export function NoSavedCases({ takesFocus }: { takesFocus: boolean }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) card.current?.focus();
  }, [takesFocus]);
  return (
    <div className="card saved-cases-message" ref={card} tabIndex={-1}>
      <Icon name="bookmark" size={32} />
      <h2>
        <Trans>No saved cases yet</Trans>
      </h2>
      <p>
        <Trans>Search for a case and save it to find it here.</Trans>
      </p>
      <Link className="btn btn-primary" to="/">
        <Trans>Search for a case</Trans>
      </Link>
    </div>
  );
}
