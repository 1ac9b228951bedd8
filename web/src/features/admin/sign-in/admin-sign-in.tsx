import type { OpenedAdminArea } from '@casewatch/contracts/admin-session';
import { useState } from 'react';
import { useAdminSignInOptions } from '../../../api/admin-session.ts';
import { AccountForm } from './account-form.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

export type SignInWay = 'passcode' | 'account';

/** Returns which way is shown: the passcode, unless it is switched off or the person has an account. */
export function useSignInWay(first: SignInWay = 'passcode') {
  const { data } = useAdminSignInOptions();
  const [chosen, setChosen] = useState(first);
  const hasPasscode = data?.passcode ?? true;
  const way: SignInWay = hasPasscode ? chosen : 'account';
  return { way, canSwitch: hasPasscode, setWay: setChosen };
}

interface AdminSignInProps {
  way: SignInWay;
  onSwitch: ((way: SignInWay) => void) | undefined;
  onOpen: (opened: OpenedAdminArea) => void;
  autoFocus?: boolean;
  /** The area lies beneath and must stay as it is. */
  isReopening?: boolean;
}

/** Opens the admin area with the provider, by passcode or by account. */
export function AdminSignIn({
  way,
  onSwitch,
  onOpen,
  autoFocus = false,
  isReopening = false,
}: AdminSignInProps) {
  const provider = useAdminSignInOptions().data?.provider;
  // A form that was chosen takes the focus.
  const [hasSwitched, setHasSwitched] = useState(false);
  const Form = way === 'passcode' ? PasscodeForm : AccountForm;
  return (
    <>
      {provider && <SingleSignOn label={provider} onReopen={isReopening ? onOpen : undefined} />}
      <Form onOpen={onOpen} autoFocus={autoFocus || hasSwitched} />
      {onSwitch && (
        <button
          type="button"
          className="btn btn-link admin-switch"
          onClick={() => {
            setHasSwitched(true);
            onSwitch(way === 'passcode' ? 'account' : 'passcode');
          }}
        >
          {way === 'passcode' ? 'Sign in with your account instead' : 'Use the passcode instead'}
        </button>
      )}
    </>
  );
}
