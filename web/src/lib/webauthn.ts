import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@casewatch/contracts/passkeys';
import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';

/*
 * What the browser and the person's authenticator do with passkeys. Loaded when the first passkey is asked for: import
 * it through `passkey-support.ts` only.
 */

/** Lets the person choose a passkey and unlock it; with `autofill`, among the suggestions of the e-mail field. */
export async function askForPasskey(
  request: PasskeyRequest,
  { autofill = false } = {},
): Promise<PasskeyAssertion> {
  const { allowCredentials, ...rest } = request;
  const { id, rawId, response } = await startAuthentication({
    optionsJSON: {
      ...rest,
      ...(allowCredentials ? { allowCredentials: allowCredentials.map(withTransports) } : {}),
    },
    useBrowserAutofill: autofill,
  });
  const { userHandle, ...signed } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { ...signed, ...(userHandle === undefined ? {} : { userHandle }) },
  };
}

/** Has the person make a passkey, on this device or another one. */
export async function createPasskey(creation: PasskeyCreation): Promise<PasskeyAttestation> {
  const { id, rawId, response } = await startRegistration({
    optionsJSON: { ...creation, excludeCredentials: creation.excludeCredentials.map(withTransports) },
  });
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) },
  };
}

/** Ends what is waiting for the person. */
export function cancelPasskey(): void {
  WebAuthnAbortService.cancelCeremony();
}

function withTransports({ id, type, transports }: PasskeyCreation['excludeCredentials'][number]) {
  return { id, type, ...(transports ? { transports } : {}) };
}
