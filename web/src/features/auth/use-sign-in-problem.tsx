import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { ApiError, failureText } from '../../api/api-error.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { NoCookies } from '../../api/session.ts';
import { ErrorReference } from '../../components/error-reference.tsx';
import { useErrorToast } from '../../components/toast/toast-provider.tsx';

interface Words {
  title: string;
  text: string;
  /** The text says that something typed is wrong: it is not said where the server failed or gave no answer. */
  blamesInput?: true;
}

/** Reports why a sign-in failed: in a toast, and in the form, where it stays until the user types. */
export function useSignInProblem() {
  const report = useErrorToast();
  const [shown, setShown] = useState<{ error: unknown; text: string }>();
  return {
    problem: shown && (
      <div className="form-problem" role="alert">
        <p>{shown.text}</p>
        <ErrorReference error={shown.error} />
      </div>
    ),
    clear: () => setShown(undefined),
    /** `fallback`: for a refusal that says nothing to people. */
    refuse: (error: unknown, fallback: Words) => {
      const { title, text } = wordsOf(error, fallback);
      setShown({ error, text });
      report(error, text, title);
    },
  };
}

function wordsOf(error: unknown, { title, text, blamesInput }: Words): Words {
  if (error instanceof NoCookies) {
    return {
      title: t`You are not signed in`,
      text: t`Your browser blocks the cookies of this site, so it can’t keep you signed in. Allow cookies for this site in the browser’s settings, then sign in again.`,
    };
  }
  // `fetch` throws a TypeError where there is no answer.
  const isOurs = error instanceof TypeError || (error instanceof ApiError && error.status >= 500);
  return { title, text: failureText(error, blamesInput && isOurs ? retryAdvice(error) : text) };
}
