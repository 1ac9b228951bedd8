import { expect } from 'vitest';
import type { Channel } from '../src/domain/choose-deliveries.ts';
import type { NotificationsFixture } from './notifications-fixture.ts';

export const PATIENCE = { timeout: 60_000, interval: 100 };

/** How tests wait for digests of a channel. */
export function digestWaits(
  channel: Channel,
  fixture: () => Pick<NotificationsFixture, 'database' | 'clock'>,
) {
  const statesOf = async (userIds: readonly string[]) => {
    const rows = await fixture().database.query<{ state: string }>(
      `SELECT state FROM notifications.deliveries WHERE user_id = ANY ($1::uuid[]) AND channel = $2`,
      [userIds, channel],
    );
    return rows.map(({ state }) => state);
  };
  return {
    /** Resolves when the user has the given number of settled digests; time passes while it waits. */
    settled: (userId: string, count: number) =>
      expect
        .poll(async () => {
          await fixture().clock.advance(10_000);
          return (await statesOf([userId])).filter((state) => state !== 'queued').length;
        }, PATIENCE)
        .toBe(count),
    /**
     * Resolves when each of the users has a settled digest. Time passes until all are made, and then stands: else the lease of a process
     * that sends slowly would end within a second, and another would send the same.
     */
    async madeAndSettled(userIds: readonly string[]): Promise<void> {
      const made = async () => {
        const { length } = await statesOf(userIds);
        if (length < userIds.length) await fixture().clock.advance(1_000);
        return length;
      };
      await expect.poll(made, PATIENCE).toBe(userIds.length);
      await expect.poll(() => statesOf(userIds), PATIENCE).not.toContain('queued');
    },
  };
}
