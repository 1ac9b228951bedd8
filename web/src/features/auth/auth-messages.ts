import { t } from '@lingui/core/macro';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';

// Their texts are in the language that is shown when they are read: that of the account may come after the sign-in.

export const WELCOME_BACK = {
  get title() {
    return t`Welcome back!`;
  },
  get description() {
    return t`You have successfully logged in.`;
  },
} as const satisfies ToastMessage;

export const ACCOUNT_CREATED = {
  get title() {
    return t`Account created!`;
  },
  get description() {
    return t`Your account has been successfully created.`;
  },
} as const satisfies ToastMessage;
