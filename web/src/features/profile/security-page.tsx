import { passwordBody, type User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { usePasskeys } from '../../api/passkeys.ts';
import { useChangePassword } from '../../api/profile.ts';
import { useSessions } from '../../api/recovery.ts';
import { useMe } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { CurrentPasswordField } from './current-password-field.tsx';
import { EditForm } from './edit-form.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { ProfileFrame } from './profile-frame.tsx';
import { SessionList } from './session-list.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** Renders the password, the passkeys and the sessions of the signed-in user. */
export function SecurityPage() {
  const { user } = useMe();
  if (!user) return null;
  return (
    <ProfileFrame title={t`Security`} subtitle={t`How you sign in, and where you are signed in`}>
      <SignInSettings user={user} />
    </ProfileFrame>
  );
}

function SignInSettings({ user }: { user: User }) {
  const password = useDisclosure();
  return (
    <section className="card profile-card" aria-labelledby="sign-in-settings">
      <h2 id="sign-in-settings">
        <Trans>Password and devices</Trans>
      </h2>
      {password.isOpen ? (
        <PasswordForm user={user} onClose={password.close} />
      ) : (
        <div className="profile-row">
          <p>
            <Trans>Changing your password logs out your other devices.</Trans>
          </p>
          <Button ref={password.trigger} onClick={password.open}>
            <Trans>Change password</Trans>
          </Button>
        </div>
      )}
      <SignOutEverywhere />
      <PasskeysAndSessions user={user} />
    </section>
  );
}

/** Shows both lists at once, so that neither moves the buttons of the other. */
function PasskeysAndSessions({ user }: { user: User }) {
  const passkeys = usePasskeys();
  const sessions = useSessions();
  if (!passkeys.isFetched || !sessions.isFetched) return <Spinner />;
  return (
    <>
      <PasskeyList user={user} {...passkeys} />
      <SessionList {...sessions} />
    </>
  );
}

function PasswordForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangePassword();
  const toast = useToast();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['currentPassword', 'newPassword'],
    schema: passwordBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await change.mutateAsync(values);
      toast({ title: t`Password changed`, description: t`Your other devices have been logged out.` });
      onClose();
    },
    onRefused: (error) => fail(error, t`Failed to change password. Please try again.`),
  });

  return (
    <EditForm
      formProps={formProps}
      submitLabel={t`Change password`}
      pendingLabel={t`Saving...`}
      pending={change.isPending}
      onCancel={onClose}
    >
      {/* Shows password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" defaultValue={user.email} hidden readOnly />
      <CurrentPasswordField error={errors.currentPassword} refusal={change.error} />
      <NewPasswordField label={t`New Password`} name="newPassword" error={errors.newPassword} />
    </EditForm>
  );
}
