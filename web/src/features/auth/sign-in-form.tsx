import { loginBody } from '@casewatch/contracts/identity';
import { failureText } from '../../api/api-error.ts';
import { useLogIn } from '../../api/session.ts';
import { FormField } from '../../components/form-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';

const FIELDS = ['email', 'password'] as const;

interface SignInFormProps {
  /** Filled in already: the person who goes on after a session. */
  email?: string;
}

export function SignInForm({ email }: SignInFormProps) {
  const logIn = useLogIn();
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: loginBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await logIn.mutateAsync(values);
      toast({ title: 'Welcome back!', description: 'You have successfully logged in.' });
    },
    onRefused: (error) =>
      toast({
        title: 'Login failed',
        description: failureText(error, 'Invalid email or password'),
        variant: 'destructive',
        error,
      }),
  });

  return (
    <form {...formProps} className="form-stack">
      <FormField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        error={errors.email}
      />
      <FormField
        label="Password"
        name="password"
        autoFocus={email !== undefined}
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <button type="submit" className="btn btn-primary btn-lg" disabled={logIn.isPending}>
        {logIn.isPending ? 'Signing in...' : 'Sign In'}
      </button>
    </form>
  );
}
