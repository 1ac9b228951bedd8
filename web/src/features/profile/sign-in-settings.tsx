import type { User } from '@casewatch/contracts/identity';
import { Trans } from '@lingui/react/macro';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { PasskeyList } from './passkey-list.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionList } from './session-list.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** Renders the password, the passkeys and the sessions. */
export function SignInSettings({ user }: { user: User }) {
  const password = useDisclosure();
  return (
    <section className="card profile-card" aria-labelledby="sign-in-settings">
      <h2 id="sign-in-settings">
        <Trans>Password and Devices</Trans>
      </h2>
      {password.isOpen ? (
        <PasswordForm user={user} onClose={password.close} />
      ) : (
        <div className="profile-row">
          <p>
            <Trans>Changing your password logs out your other devices.</Trans>
          </p>
          <button
            type="button"
            ref={password.trigger}
            className="btn btn-outline-secondary btn-sm"
            onClick={password.open}
          >
            <Trans>Change password</Trans>
          </button>
        </div>
      )}
      <PasskeyList user={user} />
      <SessionList />
      <SignOutEverywhere />
    </section>
  );
}
