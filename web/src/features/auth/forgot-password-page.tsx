import { forgotPasswordBody } from '@casewatch/contracts/account-recovery';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { failureText } from '../../api/api-error.ts';
import { useRequestPasswordReset } from '../../api/recovery.ts';
import { FormField } from '../../components/form-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CardPage } from '../layout/card-page.tsx';
import { typedEmail } from './typed-email.ts';

const FIELDS = ['email'] as const;

/** Asks for the address of the account; says the same whether or not there is one. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) return <LinkSent email={sentTo} onAgain={() => setSentTo(undefined)} />;
  return (
    <CardPage
      key="ask"
      heading={{
        title: 'Forgot your password?',
        subtitle:
          'Enter the email address of your account. We will send you a link to choose a new password.',
        documentTitle: 'Forgot Password',
      }}
    >
      <ForgotPasswordForm onSent={setSentTo} />
    </CardPage>
  );
}

function ForgotPasswordForm({ onSent }: { onSent: (email: string) => void }) {
  const request = useRequestPasswordReset();
  const toast = useToast();
  const { state } = useLocation();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: forgotPasswordBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await request.mutateAsync(values);
      onSent(values.email.trim());
    },
    onRefused: (error) =>
      toast({
        title: 'Error',
        description: failureText(error, 'Failed to send the link. Please try again.'),
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
        defaultValue={typedEmail(state)}
        error={errors.email}
      />
      <button type="submit" className="btn btn-primary btn-lg" disabled={request.isPending}>
        {request.isPending ? 'Sending...' : 'Send link'}
      </button>
      <Link to="/auth">Back to sign in</Link>
    </form>
  );
}

function LinkSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <CardPage key="sent" heading={{ title: 'Check your email', documentTitle: 'Check Your Email' }}>
      <div className="form-stack">
        <p role="status" className="mb-0">
          If there is an account for <strong className="typed-email">{email}</strong>, a link to choose a new
          password is on its way. It works for 30 minutes.
        </p>
        <p className="mb-0">
          Nothing there after a few minutes? Look in your spam folder, and check the address for typos.
        </p>
        <button type="button" className="btn btn-outline-secondary" onClick={onAgain}>
          Try again
        </button>
        <Link to="/auth">Back to sign in</Link>
      </div>
    </CardPage>
  );
}
