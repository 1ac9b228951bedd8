import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ComponentPropsWithRef, useState } from 'react';
import { FormField } from './form-field.tsx';

interface NewPasswordFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'size' | 'type'> {
  label: string;
  error?: string | undefined;
}

/** Renders a field for a new password that can be shown, to check what was typed. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div>
      <FormField
        autoComplete="new-password"
        placeholder={t`Minimum 8 characters`}
        {...props}
        type={isShown ? 'text' : 'password'}
        {...(isShown ? { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } : {})}
      />
      <button
        type="button"
        className="btn btn-link btn-sm show-password"
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        <Trans>Show password</Trans>
      </button>
    </div>
  );
}
