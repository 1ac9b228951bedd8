import { passwordAgain, type User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { z } from 'zod';
import { hasCode } from '../../api/api-error.ts';
import type { GivenProof } from '../../api/passkeys.ts';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CurrentPasswordField } from './current-password-field.tsx';
import { EditForm } from './edit-form.tsx';

const proofForm = z.strictObject({ currentPassword: passwordAgain });

interface ProofFormProps {
  user: User;
  /** What the proof is asked for. */
  reason: string;
  submitLabel: string;
  pending: boolean;
  /** What the server answered to the last proof. */
  refusal: unknown;
  /** Whether a passkey may stand in for the password. */
  offersPasskey: boolean;
  run: (given: GivenProof) => Promise<unknown>;
  onRefused: (error: unknown) => void;
  onCancel: () => void;
}

/** Asks for the password, or for a passkey instead, before something that only the owner may do. */
export function ProofForm(props: ProofFormProps) {
  const { user, reason, submitLabel, pending, refusal, offersPasskey, run, onRefused, onCancel } = props;
  const { errors, formProps } = useCheckedForm({
    fields: ['currentPassword'],
    schema: proofForm,
    toValues: (texts) => texts,
    submit: run,
    // The field says it.
    onRefused: (error) => !hasCode(error, 'WRONG_PASSWORD') && onRefused(error),
  });

  return (
    <EditForm
      formProps={formProps}
      submitLabel={submitLabel}
      pendingLabel={t`Please wait...`}
      pending={pending}
      onCancel={onCancel}
    >
      <p className="mb-0">{reason}</p>
      {/* Shows password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" defaultValue={user.email} hidden readOnly />
      <CurrentPasswordField error={errors.currentPassword} refusal={refusal} />
      {offersPasskey && (
        <button
          type="button"
          className="btn btn-link proof-passkey"
          disabled={pending}
          onClick={() => void run('passkey').catch(onRefused)}
        >
          <Trans>Use a passkey instead of the password</Trans>
        </button>
      )}
    </EditForm>
  );
}
