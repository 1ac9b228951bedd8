import type { User } from '@casewatch/contracts/identity';
import { type Passkey, passkeyNameBody } from '@casewatch/contracts/passkeys';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useRemovePasskey, useRenamePasskey } from '../../api/passkeys.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { formatDay, formatMoment } from '../../lib/format-moment.ts';
import { hasPasskeys, isDismissed } from '../../lib/passkey-support.ts';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { EditForm } from './edit-form.tsx';
import { ProofForm } from './proof-form.tsx';

interface PasskeyItemProps {
  user: User;
  passkey: Passkey;
  /** It is removed, and with it what had the focus. */
  onRemoved: () => void;
}

/** Renders one passkey: where it is kept, when it was used, and ways to rename and remove it. */
export function PasskeyItem({ user, passkey, onRemoved }: PasskeyItemProps) {
  const naming = useDisclosure();
  const removing = useDisclosure();
  const remove = useRemovePasskey();
  const toast = useToast();
  const { name } = passkey;

  if (naming.isOpen) {
    return (
      <li>
        <NameForm passkey={passkey} onClose={naming.close} />
      </li>
    );
  }
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p>
          {passkey.isSynced ? t`Synced between your devices` : t`On one device only`} ·{' '}
          {t`Added ${formatDay(passkey.createdAt)}`} ·{' '}
          {passkey.lastUsedAt === null ? t`Not used yet` : t`Last used ${formatMoment(passkey.lastUsedAt)}`}
        </p>
      </div>
      {removing.isOpen ? (
        <ProofForm
          user={user}
          reason={t`Remove ${name}? You can no longer sign in with it. Your password keeps working.`}
          submitLabel={t`Remove passkey`}
          pending={remove.isPending}
          refusal={remove.error}
          offersPasskey={hasPasskeys()}
          run={async (given) => {
            await remove.mutateAsync({ id: passkey.id, given });
            toast({
              title: t`Passkey removed`,
              description: t`You can no longer sign in with ${name}. You can delete it from your device, too.`,
            });
            onRemoved();
          }}
          onRefused={(error) => {
            toast({ ...failureOfRemoving(error), variant: 'destructive', error });
            if (hasCode(error, 'NOT_FOUND')) onRemoved();
          }}
          onCancel={removing.close}
        />
      ) : (
        <div className="passkey-actions">
          <Button ref={naming.trigger} aria-label={t`Rename ${name}`} onClick={naming.open}>
            <Trans>Rename</Trans>
          </Button>
          <Button
            ref={removing.trigger}
            aria-label={t`Remove ${name}`}
            onClick={() => {
              remove.reset();
              removing.open();
            }}
          >
            <Trans>Remove</Trans>
          </Button>
        </div>
      )}
    </li>
  );
}

function failureOfRemoving(error: unknown): { title: string; description: string } {
  if (isDismissed(error)) {
    return {
      title: t`Couldn’t remove`,
      description: t`No passkey was used. Try again, or enter your password.`,
    };
  }
  return {
    title: t`Error`,
    description: failureText(error, t`The passkey could not be removed. Please try again.`),
  };
}

function NameForm({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['name'],
    schema: passkeyNameBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await rename.mutateAsync({ id, ...values });
      onClose();
    },
    onRefused: (error) => fail(error, t`The passkey could not be renamed. Please try again.`),
  });
  return (
    <EditForm
      formProps={formProps}
      submitLabel={t`Save`}
      pendingLabel={t`Saving...`}
      pending={rename.isPending}
      onCancel={onClose}
    >
      <FormField
        label={t`Name of the passkey`}
        name="name"
        autoComplete="off"
        defaultValue={name}
        error={errors.name}
      />
    </EditForm>
  );
}
