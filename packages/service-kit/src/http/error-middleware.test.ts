import type { Request, Response } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createErrorMiddleware } from './error-middleware.ts';

test('an answer that has begun is broken off, and nothing more is written', () => {
  const steps: string[] = [];
  const middleware = createErrorMiddleware(pino({ level: 'silent' }));
  // What the middleware uses of a request and an answer.
  const req = { get: () => undefined } as unknown as Request;
  const res = {
    headersSent: true,
    destroy: () => steps.push('destroyed'),
    set: () => {
      steps.push('a header');
      throw new Error('the head is sent');
    },
  } as unknown as Response;
  middleware(new Error('the database is unavailable'), req, res, () => steps.push('passed on'));
  expect(steps).toEqual(['destroyed']);
});
