import { timingSafeEqual } from 'node:crypto';
import { receiveMailReport as contract } from '@casewatch/contracts/mail-reports';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type Route, route } from '@casewatch/service-kit/http/route';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type MailReport, type RecipientTags, receiveMailReport } from '../domain/mail-report.ts';
import type { UnsubscribeTokens } from '../domain/mailer.ts';
import type { SettingsStore } from '../domain/store.ts';

interface Deps {
  /** Each is accepted; none: no report is. */
  secrets: readonly string[];
  tags: RecipientTags | undefined;
  tokens: UnsubscribeTokens | undefined;
  settings: SettingsStore;
  read: (message: Uint8Array) => Promise<MailReport>;
  services: ServiceClient;
  clock: Clock;
  logger: Logger;
}

/** Returns the route to which the mail server passes bounces and complaints. */
export function mailReportRoute({ secrets, tags, tokens, read, clock, logger, ...deps }: Deps): Route {
  return route(contract, async ({ request: { rawBody, signature } }) => {
    if (!tags || !tokens || !secrets.some((secret) => isSame(secret, signature ?? '')))
      throw new AppError('INVALID_SIGNATURE');
    const report = await read(rawBody ?? new Uint8Array());
    const result = await receiveMailReport({ ...deps, tags, tokens }, report, clock.nowMs());
    logger.info({ kind: report.kind, result }, 'mail report received');
    return { body: { result } };
  });
}

function isSame(secret: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(secret), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
