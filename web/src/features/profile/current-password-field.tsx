import { t } from '@lingui/core/macro';
import { failureText, hasCode } from '../../api/api-error.ts';
import { FormField } from '../../components/form-field.tsx';

interface CurrentPasswordFieldProps {
  error: string | undefined;
  /** What the server answered to the form: it may say that this password is wrong. */
  refusal: unknown;
}

/** Asks for the current password, named `currentPassword`, before something that only the owner may do. */
export function CurrentPasswordField({ error, refusal }: CurrentPasswordFieldProps) {
  const isWrong = hasCode(refusal, 'WRONG_PASSWORD');
  return (
    <FormField
      label={t`Current Password`}
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      error={
        error ??
        (isWrong
          ? failureText(refusal, t`The current password is not correct. Please try again.`)
          : undefined)
      }
    />
  );
}
