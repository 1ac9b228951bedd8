import type { User } from '@casewatch/contracts/identity';
import { PASSKEYS_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import { failureText } from '../../api/api-error.ts';
import { useAddPasskey, type usePasskeys } from '../../api/passkeys.ts';
import { Button } from '../../components/button.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { hasPasskeys, isAddedAlready, isDismissed } from '../../lib/passkey-support.ts';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { PasskeyItem } from './passkey-item.tsx';
import { ProofForm } from './proof-form.tsx';

/** Renders the account's passkeys, and a way to add one. */
export function PasskeyList({
  user,
  data: passkeys,
  isError,
}: { user: User } & Pick<ReturnType<typeof usePasskeys>, 'data' | 'isError'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <div className="session-list">
      <h3 ref={heading} tabIndex={-1}>
        <Trans>Passkeys</Trans>
      </h3>
      <p>
        <Trans>
          Sign in with your fingerprint, your face or your device’s PIN instead of your password. Your
          password keeps working, even if you remove your last passkey.
        </Trans>
      </p>
      {isError && (
        <p role="alert">
          <Trans>Your passkeys can’t be shown right now. Reload the page to try again.</Trans>
        </p>
      )}
      <ul aria-live="polite">
        {passkeys?.map((passkey) => (
          <PasskeyItem
            key={passkey.id}
            user={user}
            passkey={passkey}
            onRemoved={() => heading.current?.focus()}
          />
        ))}
      </ul>
      {passkeys && <AddPasskey user={user} count={passkeys.length} />}
    </div>
  );
}

function AddPasskey({ user, count }: { user: User; count: number }) {
  const form = useDisclosure();
  const add = useAddPasskey();
  const toast = useToast();
  if (!hasPasskeys())
    return (
      <p>
        <Trans>This browser can’t add passkeys.</Trans>
      </p>
    );
  if (count >= PASSKEYS_MAX) {
    return (
      <p>
        <Trans>You have {PASSKEYS_MAX} passkeys, which is the maximum. Remove one to add another.</Trans>
      </p>
    );
  }
  if (!form.isOpen) {
    return (
      <Button
        ref={form.trigger}
        onClick={() => {
          add.reset();
          form.open();
        }}
      >
        <Trans>Add a passkey</Trans>
      </Button>
    );
  }
  return (
    <ProofForm
      user={user}
      reason={t`Confirm that it is you. Then your browser asks where to save the passkey.`}
      submitLabel={t`Continue`}
      pending={add.isPending}
      refusal={add.error}
      offersPasskey={count > 0}
      run={async (given) => {
        const { name } = await add.mutateAsync(given);
        toast({ title: t`Passkey added`, description: t`It is called ${name}. You can rename it.` });
        form.close();
      }}
      onRefused={(error) => toast({ ...failureOfAdding(error), variant: 'destructive', error })}
      onCancel={form.close}
    />
  );
}

function failureOfAdding(error: unknown): { title: string; description: string } {
  if (isAddedAlready(error)) {
    return { title: t`Already added`, description: t`This device already has a passkey for your account.` };
  }
  if (isDismissed(error)) {
    return {
      title: t`No passkey added`,
      description: t`The dialog was closed. Try again when you are ready.`,
    };
  }
  return {
    title: t`Error`,
    description: failureText(error, t`The passkey could not be added. Please try again.`),
  };
}
