import type { Admin, Kafka } from 'kafkajs';

export type KafkaAdmin = ReturnType<typeof createKafkaAdmin>;

/** Creates one administrative connection, opened when first needed and reopened after a failure. */
export function createKafkaAdmin(kafka: Kafka) {
  let connected: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const admin = kafka.admin();
    await admin.connect();
    return admin;
  }
  async function drop(): Promise<void> {
    const dropped = connected;
    connected = undefined;
    const admin = await dropped?.catch(() => undefined);
    await admin?.disconnect().catch(() => undefined);
  }

  return {
    /** @throws what the broker or the connection throws; the next call connects again. */
    async use<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
      connected ??= connect();
      const mine = connected;
      try {
        return await work(await mine);
      } catch (error) {
        if (connected === mine) await drop();
        throw error;
      }
    },
    disconnect: drop,
  };
}
