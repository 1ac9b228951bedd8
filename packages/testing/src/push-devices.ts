import type { PushService } from './push-service.ts';

/**
 * Gives each user one device, named as at the push service, in a session that lets messages go to it: a device without one gets
 * nothing. The users have to be in `identity.users`. `query`: as the owner of the schemas.
 */
export async function addPushDevices(
  query: (sql: string, values: unknown[]) => Promise<unknown>,
  service: PushService,
  { userIds, publicKey }: { userIds: readonly string[]; publicKey: string },
): Promise<void> {
  const devices = userIds.map(() => service.subscribe(publicKey));
  await query(
    `WITH device AS (
       SELECT *, gen_random_uuid() AS session_id
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (user_id, endpoint, p256dh, auth, name)
     ), granted AS (
       INSERT INTO identity.device_sessions (session_id, user_id, granted_at)
       SELECT session_id, user_id, now() FROM device
     )
     INSERT INTO notifications.push_devices
       (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id)
     SELECT gen_random_uuid(), user_id, endpoint, p256dh, auth, $6, name, now(), session_id FROM device`,
    [
      userIds,
      devices.map(({ subscription }) => subscription.endpoint),
      devices.map(({ subscription }) => subscription.keys.p256dh),
      devices.map(({ subscription }) => subscription.keys.auth),
      devices.map(({ name }) => name),
      publicKey,
    ],
  );
}
