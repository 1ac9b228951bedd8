import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** Renders the way to delete the account, kept apart from everything else. */
export function DeleteAccount() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section className="card profile-card" aria-labelledby="delete-account">
      <h2 id="delete-account">
        <Trans>Delete Account</Trans>
      </h2>
      <div className="profile-row">
        <p>
          <Trans>Deletes your account and your saved cases. This can't be undone.</Trans>
        </p>
        <button type="button" className="btn btn-outline-danger btn-sm" onClick={() => setIsAsking(true)}>
          <Trans>Delete account</Trans>
        </button>
      </div>
      <DeleteAccountDialog show={isAsking} onHide={() => setIsAsking(false)} />
    </section>
  );
}
