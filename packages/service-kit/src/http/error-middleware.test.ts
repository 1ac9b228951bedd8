import type { Request, Response } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { createErrorMiddleware } from './error-middleware.ts';
import { FAULT_HEADER } from './internal-headers.ts';

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

test.each([
  ['AGENCY_UNAVAILABLE', 'agency-timeout', 'agency'],
  ['BUDGET_SPENT', 'BUDGET_SPENT', 'quota'],
  ['UNAVAILABLE', 'UNAVAILABLE', undefined],
  ['AGENCY_UNAVAILABLE', 'agency-credentials', undefined],
] as const)('%s, as %s, is the fault of %s', (code, text, fault) => {
  const headers = new Map<string, string>([[FAULT_HEADER, 'agency']]);
  // What the middleware uses of a request and an answer.
  const res = {
    headersSent: false,
    set: (name: string, value: string) => {
      headers.set(name, value);
      return res;
    },
    removeHeader: (name: string) => headers.delete(name),
    status: () => res,
    json: () => undefined,
  } as unknown as Response;
  const req = { get: () => undefined } as unknown as Request;
  createErrorMiddleware(pino({ level: 'silent' }))(new AppError(code, text), req, res, () => undefined);
  expect(headers.get(FAULT_HEADER)).toBe(fault);
});
