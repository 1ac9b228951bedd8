import { signupBody } from '@casewatch/contracts/identity';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useSignUp } from '../../api/session.ts';
import { FormField } from '../../components/form-field.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';

const FIELDS = ['firstName', 'lastName', 'email', 'password', 'role'] as const;

interface SignUpFormProps {
  email: string;
  onEmail: (email: string) => void;
}

export function SignUpForm({ email, onEmail }: SignUpFormProps) {
  const signUp = useSignUp();
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: signupBody,
    toValues: ({ role, ...texts }) => (role.trim() === '' ? texts : { ...texts, role }),
    submit: async (values) => {
      await signUp.mutateAsync(values);
      toast({ title: 'Account created!', description: 'Your account has been successfully created.' });
    },
    onRefused: (error) =>
      toast({
        title: 'Signup failed',
        description: failureText(error, 'Failed to create account'),
        variant: 'destructive',
        error,
      }),
  });
  const emailTaken = hasCode(signUp.error, 'EMAIL_TAKEN') ? signUp.error.serverMessage : undefined;

  return (
    <form {...formProps} className="form-stack">
      <div className="form-pair">
        <FormField label="First Name" name="firstName" autoComplete="given-name" error={errors.firstName} />
        <FormField label="Last Name" name="lastName" autoComplete="family-name" error={errors.lastName} />
      </div>
      <FormField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={({ currentTarget: { value } }) => onEmail(value)}
        error={errors.email ?? emailTaken}
      />
      <NewPasswordField label="Password" name="password" error={errors.password} />
      <FormField
        label="Role (Optional)"
        name="role"
        autoComplete="off"
        placeholder="e.g., Applicant, Attorney, etc."
        error={errors.role}
      />
      <button type="submit" className="btn btn-primary btn-lg" disabled={signUp.isPending}>
        {signUp.isPending ? 'Creating account...' : 'Create Account'}
      </button>
    </form>
  );
}
