import { z } from 'zod';
import { defineRoute } from './route-contract.ts';

const session = z.strictObject({ userId: z.uuid(), sessionId: z.uuid() });

export const grantDeviceSession = defineRoute({
  id: 'grantDeviceSession',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/grant-device-session',
  access: 'internal',
  summary: 'Let push messages go to a device of this session',
  description:
    'Until the session is ended; one that expires unused keeps its devices. Refused for a session that has ended or expired.',
  body: session,
  answer: z.object({ granted: z.boolean() }),
});

/** Asked right before each message, so that no event that is late or lost lets one through. */
export const checkDeviceSession = defineRoute({
  id: 'checkDeviceSession',
  service: 'identity',
  method: 'POST',
  path: '/internal/identity/check-device-session',
  access: 'internal',
  summary: 'Whether push messages may go to devices of this session',
  body: session,
  answer: z.object({ granted: z.boolean() }),
});
