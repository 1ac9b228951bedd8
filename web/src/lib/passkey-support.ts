/** Returns whether the browser has passkeys; over http it has them on localhost only. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** Returns whether the browser can suggest passkeys in the e-mail field. */
export async function suggestsPasskeys(): Promise<boolean> {
  return hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false);
}

export function loadPasskeys() {
  return import('./webauthn.ts');
}

/** Returns whether the person closed the browser's dialog, had no passkey for it, or let its time pass: browsers do not say which. */
export function isDismissed(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** Returns whether the authenticator has a passkey of this account already. */
export function isAddedAlready(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError';
}
