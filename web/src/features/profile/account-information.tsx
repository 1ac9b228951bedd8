import type { User } from '@casewatch/contracts/identity';
import { Trans } from '@lingui/react/macro';
import { Button } from '../../components/button.tsx';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { SendConfirmation } from '../auth/send-confirmation.tsx';
import { EmailForm } from './email-form.tsx';
import { NameForm } from './name-form.tsx';

/** Renders name, e-mail address and role, each with a way to change it. */
export function AccountInformation({ user }: { user: User }) {
  const name = useDisclosure();
  const email = useDisclosure();
  return (
    <section className="card profile-card" aria-labelledby="account-information">
      <h2 id="account-information">
        <Trans>Account Information</Trans>
      </h2>
      {name.isOpen ? (
        <NameForm user={user} onClose={name.close} />
      ) : (
        <div className="profile-row">
          <dl>
            <div>
              <dt>
                <Trans>Name</Trans>
              </dt>
              <dd>
                {user.firstName} {user.lastName}
              </dd>
            </div>
            {user.role && (
              <div>
                <dt>
                  <Trans>Role</Trans>
                </dt>
                <dd>{user.role}</dd>
              </div>
            )}
          </dl>
          <Button ref={name.trigger} onClick={name.open}>
            <Trans>Edit name and role</Trans>
          </Button>
        </div>
      )}
      {email.isOpen ? (
        <EmailForm user={user} onClose={email.close} />
      ) : (
        <div className="profile-row">
          <dl>
            <div>
              <dt>
                <Trans>Email</Trans>
              </dt>
              <dd>
                {user.email}
                {user.emailRefused ? (
                  <span className="email-unconfirmed">
                    <Trans>Does not accept mail</Trans>
                  </span>
                ) : (
                  !user.emailVerified && (
                    <span className="email-unconfirmed">
                      <Trans>Not confirmed yet</Trans>
                    </span>
                  )
                )}
              </dd>
            </div>
          </dl>
          {!user.emailVerified && <SendConfirmation />}
          <Button ref={email.trigger} onClick={email.open}>
            <Trans>Change email</Trans>
          </Button>
        </div>
      )}
    </section>
  );
}
