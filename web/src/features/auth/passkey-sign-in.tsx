import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useSignInWithPasskey } from '../../api/passkeys.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { hasPasskeys, isDismissed, suggestsPasskeys } from '../../lib/passkey-support.ts';
import { WELCOME_BACK } from './auth-messages.ts';
import type { useSignInProblem } from './use-sign-in-problem.tsx';

/** Before the challenge ends: what the person chooses then is still in time. */
const MARGIN_MS = 60_000;
const CHALLENGE_MS = 5 * 60_000;

/** Signs in with a passkey by a button, and by a suggestion in the e-mail field next to it. */
export function PasskeySignIn({ onRefused }: { onRefused: ReturnType<typeof useSignInProblem>['refuse'] }) {
  const signIn = useSignInWithPasskey();
  const [isDismissedOnce, setIsDismissedOnce] = useState(false);
  const toast = useToast();
  const welcome = () => toast(WELCOME_BACK);
  const refuse = (error: unknown) =>
    onRefused(error, {
      title: t`Login failed`,
      text: t`The passkey could not be used. Sign in with your password.`,
    });
  usePasskeySuggestions({ isPaused: signIn.isPending, onSignedIn: welcome, onRefused: refuse });

  const run = async () => {
    setIsDismissedOnce(false);
    try {
      await signIn.mutateAsync({});
    } catch (error) {
      if (isDismissed(error)) setIsDismissedOnce(true);
      else refuse(error);
      return;
    }
    welcome();
  };

  if (!hasPasskeys()) return null;
  return (
    <>
      <button
        type="button"
        className="btn btn-outline-secondary btn-lg"
        disabled={signIn.isPending}
        onClick={() => void run()}
      >
        {signIn.isPending ? t`Waiting for your passkey...` : t`Use a passkey`}
      </button>
      <p role="status" className="passkey-status">
        {isDismissedOnce && t`No passkey was used. Try again, or sign in with your password.`}
      </p>
    </>
  );
}

interface Suggestions {
  /** While the button's dialog is open: a browser asks for one passkey at a time. */
  isPaused: boolean;
  onSignedIn: () => void;
  onRefused: (error: unknown) => void;
}

/** Lets the browser suggest passkeys in the e-mail field, with a new challenge before the one before ends. */
function usePasskeySuggestions({ isPaused, onSignedIn, onRefused }: Suggestions): void {
  const { mutateAsync } = useSignInWithPasskey();
  const [turn, setTurn] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks anew; what is called at its end may be another one.
  useEffect(() => {
    if (isPaused) return;
    const ended = new AbortController();
    const next = () => setTurn(turn + 1);
    const timer = setTimeout(next, CHALLENGE_MS - MARGIN_MS);
    const suggest = async () => {
      if (!(await suggestsPasskeys()) || ended.signal.aborted) return;
      let isChosen = false;
      try {
        await mutateAsync({ autofill: true, signal: ended.signal, onChosen: () => (isChosen = true) });
        onSignedIn();
      } catch (error) {
        // Without a challenge there are no suggestions, and nothing that the person has to know.
        if (ended.signal.aborted || !isChosen) return;
        onRefused(error);
        next();
      }
    };
    void suggest();
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isPaused, turn]);
}
