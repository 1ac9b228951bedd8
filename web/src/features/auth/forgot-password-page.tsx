import { forgotPasswordBody } from '@casewatch/contracts/account-recovery';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useRequestPasswordReset } from '../../api/recovery.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { useFailureToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CardPage } from '../layout/card-page.tsx';

/** Asks for the address of the account; says the same whether or not there is one. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) return <LinkSent email={sentTo} onAgain={() => setSentTo(undefined)} />;
  return (
    <CardPage
      key="ask"
      heading={{
        title: t`Forgot your password?`,
        subtitle: t`Enter the email address of your account. We will send you a link to choose a new password.`,
        documentTitle: t`Forgot password`,
      }}
    >
      <ForgotPasswordForm onSent={setSentTo} />
    </CardPage>
  );
}

function ForgotPasswordForm({ onSent }: { onSent: (email: string) => void }) {
  const request = useRequestPasswordReset();
  const fail = useFailureToast();
  const { state } = useLocation();
  const { errors, formProps } = useCheckedForm({
    fields: ['email'],
    schema: forgotPasswordBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await request.mutateAsync(values);
      onSent(values.email.trim());
    },
    onRefused: (error) => fail(error, t`Failed to send the link. Please try again.`),
  });
  return (
    <form {...formProps} className="form-stack">
      <FormField
        label={t`Email`}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={typedEmail(state)}
        error={errors.email}
      />
      <button type="submit" className="btn btn-primary btn-lg" disabled={request.isPending}>
        {request.isPending ? t`Sending...` : t`Send link`}
      </button>
      <Link to="/auth">
        <Trans>Back to sign in</Trans>
      </Link>
    </form>
  );
}

function LinkSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <CardPage key="sent" heading={{ title: t`Check your email`, documentTitle: t`Check your email` }}>
      <div className="form-stack">
        <p role="status" className="mb-0">
          <Trans>
            If there is an account for <strong className="typed-email">{email}</strong>, we sent a link to
            choose a new password. It works for 30 minutes.
          </Trans>
        </p>
        <p className="mb-0">
          <Trans>
            Nothing after a few minutes? Check your spam folder, and check the address for typos. If you asked
            more than once, any of the emails from the last 30 minutes works.
          </Trans>
        </p>
        <Button look="secondary" onClick={onAgain}>
          <Trans>Try again</Trans>
        </Button>
        <Link to="/auth">
          <Trans>Back to sign in</Trans>
        </Link>
      </div>
    </CardPage>
  );
}

/** Returns what was typed as the email address on the screen before, as it is handed on by `state` of a navigation. */
function typedEmail(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('email' in state)) return '';
  return typeof state.email === 'string' ? state.email : '';
}
