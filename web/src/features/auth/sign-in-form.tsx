import { loginBody } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useLogIn } from '../../api/session.ts';
import { FormField } from '../../components/form-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { WELCOME_BACK } from './auth-messages.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { useSignInProblem } from './use-sign-in-problem.tsx';

interface SignInFormProps {
  /** Filled in already. */
  email?: string;
  onEmail?: (email: string) => void;
  /** The person is known, and continues after a session: only the password is missing. */
  asksPassword?: boolean;
}

export function SignInForm({ email = '', onEmail, asksPassword = false }: SignInFormProps) {
  const [typed, setTyped] = useState(email);
  const logIn = useLogIn();
  const toast = useToast();
  const { problem, refuse, clear } = useSignInProblem();
  const { errors, formProps } = useCheckedForm({
    fields: ['email', 'password'],
    schema: loginBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await logIn.mutateAsync(values);
      toast(WELCOME_BACK);
    },
    onRefused: (error) =>
      refuse(error, { title: t`Login failed`, text: t`Invalid email or password`, blamesInput: true }),
  });

  return (
    <form {...formProps} className="form-stack" onInput={clear}>
      <FormField
        label={t`Email`}
        name="email"
        type="email"
        autoComplete="username webauthn"
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          onEmail?.(value);
        }}
        error={errors.email}
      />
      <FormField
        label={t`Password`}
        name="password"
        autoFocus={asksPassword}
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      {Object.keys(errors).length === 0 && problem}
      <button type="submit" className="btn btn-primary btn-lg" disabled={logIn.isPending}>
        {logIn.isPending ? t`Signing in...` : t`Sign In`}
      </button>
      <PasskeySignIn onRefused={refuse} />
      <Link to="/forgot-password" state={{ email: typed }}>
        <Trans>Forgot your password?</Trans>
      </Link>
    </form>
  );
}
