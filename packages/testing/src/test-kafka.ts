import { inject } from 'vitest';
import { askForServer } from './shared-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the run's broker. */
    sharedKafka: string;
  }
}

/** Returns `host:port` of the run's brokers. @throws when none can be had, saying how to get one. */
export async function testKafkaBrokers(): Promise<readonly string[]> {
  return (await askForServer(inject('sharedKafka'))).split(',');
}
