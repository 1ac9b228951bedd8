import { signupBody } from '@casewatch/contracts/identity';
import { policyPage } from '@casewatch/contracts/server-paths';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useSignUp } from '../../api/session.ts';
import { FormField } from '../../components/form-field.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { languageShown } from '../../lib/format-number.ts';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { ACCOUNT_CREATED } from './auth-messages.ts';
import { useSignInProblem } from './use-sign-in-problem.tsx';

interface SignUpFormProps {
  email: string;
  onEmail: (email: string) => void;
}

export function SignUpForm({ email, onEmail }: SignUpFormProps) {
  const signUp = useSignUp();
  const toast = useToast();
  const { problem, refuse, clear } = useSignInProblem();
  const [policiesVersion, setPoliciesVersion] = useState(document.documentElement.dataset.policiesVersion);
  const { errors, formProps } = useCheckedForm({
    fields: ['firstName', 'lastName', 'email', 'password', 'role'],
    schema: signupBody,
    toValues: ({ role, ...texts }) => (role.trim() === '' ? texts : { ...texts, role }),
    submit: async (values) => {
      await signUp.mutateAsync({
        ...values,
        language: languageShown(),
        ...(policiesVersion === undefined ? {} : { policiesVersion }),
      });
      toast(ACCOUNT_CREATED);
    },
    onRefused: (error) => {
      // The links lead to the new ones, also from a page that was stored on the device.
      if (hasCode(error, 'POLICIES_CHANGED')) setPoliciesVersion(String(error.values.version));
      refuse(error, { title: t`Signup failed`, text: t`Failed to create account` });
    },
  });
  const emailTaken = hasCode(signUp.error, 'EMAIL_TAKEN')
    ? failureText(signUp.error, t`An account with this email address already exists.`)
    : undefined;

  return (
    <form {...formProps} className="form-stack" onInput={clear}>
      <div className="form-pair">
        <FormField
          label={t`First Name`}
          name="firstName"
          autoComplete="given-name"
          error={errors.firstName}
        />
        <FormField label={t`Last Name`} name="lastName" autoComplete="family-name" error={errors.lastName} />
      </div>
      <FormField
        label={t`Email`}
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={({ currentTarget: { value } }) => onEmail(value)}
        error={errors.email ?? emailTaken}
      />
      <NewPasswordField label={t`Password`} name="password" error={errors.password} />
      <FormField
        label={t`Role (Optional)`}
        name="role"
        autoComplete="off"
        placeholder={t`e.g., Applicant, Attorney, etc.`}
        error={errors.role}
      />
      {Object.keys(errors).length === 0 && emailTaken === undefined && problem}
      <p className="form-text">
        <Trans>
          By creating an account you agree to the{' '}
          <a href={policyPage('terms')} target="_blank" rel="noopener noreferrer">
            terms of use
          </a>{' '}
          and confirm that you have read the{' '}
          <a href={policyPage('privacy')} target="_blank" rel="noopener noreferrer">
            privacy policy
          </a>
          .
        </Trans>
      </p>
      <button type="submit" className="btn btn-primary btn-lg" disabled={signUp.isPending}>
        {signUp.isPending ? t`Creating account...` : t`Create Account`}
      </button>
    </form>
  );
}
