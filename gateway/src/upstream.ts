import type { RouteContract, ServiceName } from '@casewatch/contracts/route-contract';
import { AppError } from '@casewatch/platform/errors/app-error';
import type { NextFunction, Request, Response, Router } from 'express';

/** Where a service is: a router in this process, or the base URL of another one. */
export type Upstream = { kind: 'local'; router: Router } | { kind: 'remote'; url: string };
export type Upstreams = ReadonlyMap<ServiceName, Upstream>;

const RETRY_AFTER_SECONDS = 2;

/** What a caller is told when a service can't be reached. */
export function unavailable(cause?: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'A part of the service is not available right now. Please try again shortly.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    },
  );
}

/** Hands a request to one service, wherever it is. Errors go to `next`. */
export type Forward = (req: Request, res: Response, next: NextFunction, contract: RouteContract) => void;
