import { type CheckResult, checkCases } from '@casewatch/contracts/check-cases';
import { listen } from '@casewatch/service-kit/http/http-server';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceApp } from '@casewatch/service-kit/http/service-app';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { createServiceRouter } from '@casewatch/service-kit/http/service-router';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { pino } from 'pino';

export type Answer = Omit<CheckResult, 'receiptNumber'>;
const INTERNAL_SECRET = 'test-internal';

/**
 * A service that serves the internal check route over real HTTP, records the receipt numbers, and answers what the
 * test says: `observed` by default.
 */
export async function startCases(clock: Clock) {
  const calls: { receiptNumbers: string[]; atMs: number }[] = [];
  const answers = new Map<string, Answer>();
  let everyAnswer: Answer | undefined;
  let gate: Promise<void> | undefined;
  let broken = false;
  const rows = [
    route(checkCases, async ({ body: { receiptNumbers } }) => {
      calls.push({ receiptNumbers, atMs: clock.nowMs() });
      await gate;
      if (broken) throw new Error('broken');
      const results = receiptNumbers.map((receiptNumber) => ({
        receiptNumber,
        ...(everyAnswer ?? answers.get(receiptNumber) ?? { outcome: 'observed' as const }),
      }));
      return { body: { results } };
    }),
  ];
  const verifyToken = () => undefined;
  const router = createServiceRouter({ routes: rows, verifyToken, internalSecrets: [INTERNAL_SECRET] });
  const app = createServiceApp({
    routers: [router],
    ready: async () => undefined,
    logger: pino({ level: 'silent' }),
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const client = createServiceClient({
    locate: () => ({ kind: 'remote', url: server.url }),
    internalSecret: INTERNAL_SECRET,
  });
  return {
    client,
    calls,
    /** Every requested receipt number, in order. */
    asked: () => calls.flatMap(({ receiptNumbers }) => receiptNumbers),
    answer: (receiptNumber: string, answer: Answer) => answers.set(receiptNumber, answer),
    answerAll(answer: Answer | undefined) {
      everyAnswer = answer;
    },
    setBroken(value: boolean) {
      broken = value;
    },
    /** Calls get no answer until the function that this returns is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
    async stop() {
      await client.stop();
      await server.drain();
    },
  };
}
export type Cases = Awaited<ReturnType<typeof startCases>>;
