import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the run's broker. */
    kafkaDesk: string;
  }
}

/** `host:port` of the run's brokers. @throws when none can be had, saying how to get one. */
export async function testKafkaBrokers(): Promise<readonly string[]> {
  const response = await fetch(inject('kafkaDesk'));
  if (!response.ok) throw new Error(await response.text());
  const { brokers } = (await response.json()) as { brokers: string[] };
  return brokers;
}
