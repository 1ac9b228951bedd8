import { adminSignInBody, type OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { useAdminSignIn, useAdminSignInWithPasskey } from '../../../api/admin-session.ts';
import { failureText, hasCode } from '../../../api/api-error.ts';
import { FormField } from '../../../components/form-field.tsx';
import { useFailureToast, useToast } from '../../../components/toast/toast-provider.tsx';
import { hasPasskeys, isDismissed } from '../../../lib/passkey-support.ts';
import { useCheckedForm } from '../../../lib/use-checked-form.ts';

interface AccountFormProps {
  onOpen: (opened: OpenedAdminArea) => void;
  autoFocus?: boolean;
}

/** Renders the sign-in of a named administrator: password and one-time code together. Neither stays in the page. */
export function AccountForm({ onOpen, autoFocus = false }: AccountFormProps) {
  const signIn = useAdminSignIn();
  const toast = useToast();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['email', 'password', 'code'],
    schema: adminSignInBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      const opened = await signIn.mutateAsync(values);
      toast({ title: 'Admin access granted' });
      onOpen(opened);
    },
    onRefused: (error) => {
      fail(error, 'Check your connection and try again.', 'Failed to authenticate');
      // A code opens the area once: the next try needs another one.
      if (hasCode(error, 'INVALID_CREDENTIALS'))
        formProps.ref.current?.querySelector<HTMLInputElement>('[name="code"]')?.select();
    },
  });

  return (
    <form {...formProps} className="form-stack">
      <FormField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        // Only where the person has chosen this form, or is thrown into it at work.
        autoFocus={autoFocus}
        error={errors.email}
      />
      <FormField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <FormField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Six digits of your authenticator app, or one of your recovery codes."
        error={errors.code}
      />
      <button type="submit" className="btn btn-primary btn-lg" disabled={signIn.isPending}>
        {signIn.isPending ? 'Authenticating...' : 'Access Admin Panel'}
      </button>
      <PasskeyButton onOpen={onOpen} />
    </form>
  );
}

/** Opens the admin area with a passkey in place of password and code. */
function PasskeyButton({ onOpen }: { onOpen: (opened: OpenedAdminArea) => void }) {
  const signIn = useAdminSignInWithPasskey();
  const toast = useToast();
  if (!hasPasskeys()) return null;

  const run = async () => {
    let opened: OpenedAdminArea;
    try {
      opened = await signIn.mutateAsync();
    } catch (error) {
      const fallback = isDismissed(error)
        ? 'No passkey was used. Try again, or sign in with password and code.'
        : 'The passkey could not be used. Sign in with password and code.';
      toast({
        title: 'Failed to authenticate',
        description: failureText(error, fallback),
        variant: 'destructive',
      });
      return;
    }
    toast({ title: 'Admin access granted' });
    onOpen(opened);
  };

  return (
    <button
      type="button"
      className="btn btn-outline-secondary btn-lg"
      disabled={signIn.isPending}
      onClick={() => void run()}
    >
      {signIn.isPending ? 'Waiting for your passkey...' : 'Use a passkey'}
    </button>
  );
}
