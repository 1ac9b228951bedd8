import type { OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { type FormEvent, useRef, useState } from 'react';
import { useAdminLogIn } from '../../../api/admin-session.ts';
import { failureText, hasCode } from '../../../api/api-error.ts';
import { FormField } from '../../../components/form-field.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';

interface PasscodeFormProps {
  /** Called when the passcode is right. */
  onOpen: (opened: OpenedAdminArea) => void;
  autoFocus?: boolean;
}

/** Asks for the admin passcode. The passcode never stays in the page. */
export function PasscodeForm({ onOpen, autoFocus = false }: PasscodeFormProps) {
  const { mutateAsync, isPending } = useAdminLogIn();
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const toast = useToast();

  const refuse = (problem: unknown) => {
    const isWrong = hasCode(problem, 'INVALID_PASSCODE');
    toast({
      title: isWrong ? 'Invalid passcode' : 'Failed to authenticate',
      description: isWrong ? undefined : failureText(problem, 'Check your connection and try again.'),
      variant: 'destructive',
      error: problem,
    });
    setError(isWrong ? 'Wrong passcode.' : undefined);
    field.current?.select();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const passcode = field.current?.value ?? '';
    if (isPending) return;
    if (passcode === '') {
      setError('Enter the passcode.');
      return field.current?.focus();
    }
    setError(undefined);
    try {
      const opened = await mutateAsync(passcode);
      toast({ title: 'Admin access granted' });
      onOpen(opened);
    } catch (problem) {
      refuse(problem);
    }
  };

  return (
    <form className="form-stack" onSubmit={(event) => void submit(event)} noValidate>
      <FormField
        ref={field}
        label="Passcode"
        name="passcode"
        type="password"
        autoComplete="off"
        // Only where the person has chosen this form, or is thrown into it at work.
        autoFocus={autoFocus}
        error={error}
      />
      <button type="submit" className="btn btn-primary btn-lg" disabled={isPending}>
        {isPending ? 'Authenticating...' : 'Access Admin Panel'}
      </button>
    </form>
  );
}
