import { z } from 'zod';
import { fieldMessage } from './field-texts.ts';
import { LANGUAGES } from './languages.ts';
import { PUSH_DEVICES_MAX } from './limits.ts';
import { defineRoute } from './route-contract.ts';

/** A device is tested at most this often. */
export const PUSH_TEST_PAUSE_SECONDS = 10;

/** Raw bytes in base64url without padding, as browsers give the keys of a subscription. */
const bytes = (count: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}}$`),
      `must be ${count} bytes in base64url`,
    );
/** A point of P-256, not compressed. */
const publicKey = bytes(65);

export const pushDevice = z
  .object({
    id: z.uuid().meta({ description: 'Made from the endpoint, so that a device knows its own.' }),
    name: z.string().meta({ description: 'Browser and system, as the browser says: a hint.' }),
    addedAt: z.iso.datetime(),
    lastSuccessAt: z.iso.datetime().nullable(),
    lastFailureAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'null when the last message arrived at the push service, or none was sent yet.' }),
    showReceiptNumbers: z
      .boolean()
      .meta({ description: 'Whether messages to this device name the receipt number; at first, no.' }),
    language: z.enum(LANGUAGES).meta({ description: 'Of messages to this device.' }),
  })
  .meta({ id: 'PushDevice' });
export type PushDevice = z.output<typeof pushDevice>;

export const pushDevices = z
  .object({
    publicKey: publicKey.nullable().meta({
      description:
        'What a browser subscribes with (VAPID); null when this installation sends no push messages.',
    }),
    devices: z.array(pushDevice),
  })
  .meta({ id: 'PushDevices' });
export type PushDevices = z.output<typeof pushDevices>;

const deviceId = z.object({ id: z.uuid(fieldMessage('no-such-device')) });

const forUsers = { service: 'notifications', access: 'user' } as const;

export const listPushDevices = defineRoute({
  ...forUsers,
  id: 'listPushDevices',
  method: 'GET',
  path: '/api/notifications/push-devices',
  summary: 'The devices of the signed-in user that get push messages, and the key to subscribe with',
  answer: pushDevices,
  next: [{ operationId: 'testPushDevice', parameters: { id: '/devices/0/id' } }],
});

export const savePushDevice = defineRoute({
  ...forUsers,
  id: 'savePushDevice',
  method: 'PUT',
  path: '/api/notifications/push-devices',
  summary: 'Add this device, or renew its subscription',
  description: `Takes what PushManager.subscribe() returned. The same endpoint again is the same device; one of another user becomes the signed-in user’s. At most ${PUSH_DEVICES_MAX} devices.`,
  body: z.strictObject({
    endpoint: z.url({ protocol: /^https$/, error: 'must be an https URL' }).max(1_000),
    keys: z.strictObject({ p256dh: publicKey, auth: bytes(16) }),
    publicKey: publicKey.meta({ description: 'The key that the browser subscribed with.' }),
    language: z.enum(LANGUAGES).optional().meta({
      description:
        'The one that the app is read in on this device; without it, the device keeps its own, at first English.',
    }),
  }),
  answer: pushDevice,
  next: [{ operationId: 'removePushDevice', parameters: { id: '/id' } }],
  errors: ['DEVICE_LIMIT', 'NOT_FOUND'],
});

export const changePushDevice = defineRoute({
  ...forUsers,
  id: 'changePushDevice',
  method: 'PATCH',
  path: '/api/notifications/push-devices/:id',
  summary: 'Choose whether messages to this device name receipt numbers',
  params: deviceId,
  body: z.strictObject({ showReceiptNumbers: z.boolean() }),
  answer: pushDevice,
  errors: ['NOT_FOUND'],
});

export const removePushDevice = defineRoute({
  ...forUsers,
  id: 'removePushDevice',
  method: 'DELETE',
  path: '/api/notifications/push-devices/:id',
  summary: 'Send no more push messages to this device',
  params: deviceId,
  status: 204,
  answer: z.undefined(),
  errors: ['NOT_FOUND'],
});

/** What became of a test: `gone` when the browser has dropped its subscription, which removes the device. */
export const PUSH_TEST_RESULTS = ['sent', 'gone', 'failed'] as const;

export const testPushDevice = defineRoute({
  ...forUsers,
  id: 'testPushDevice',
  method: 'POST',
  path: '/api/notifications/push-devices/:id/test',
  summary: 'Send a test message to this device',
  params: deviceId,
  answer: z.object({ result: z.enum(PUSH_TEST_RESULTS) }),
  errors: ['NOT_FOUND'],
});
