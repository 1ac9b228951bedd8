import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import express, { Router } from 'express';
import { z } from 'zod';
import { setRoute } from './access-log.ts';
import { isOfStripe } from './payment-sources.ts';

/** Where browsers report what the Content Security Policy of a page has blocked. */
export const POLICY_REPORTS_PATH = '/csp-reports';
/** What `report-to` names it by. */
export const POLICY_REPORTS_GROUP = 'csp';
const MAX_REPORT_BYTES = 64_000;
/** Of different kinds; anyone can send reports, and further kinds are counted, not logged. */
const MAX_LOGGED = 100;

const text = z.string().max(4_000);
/** The Reporting API sends a list of reports (CSP Level 3, 5.3), `report-uri` a single one (5.5). */
const reports = z.union([
  z
    .array(z.looseObject({ type: text, body: z.looseObject({ blockedURL: text, effectiveDirective: text }) }))
    .max(100),
  z
    .object({
      'csp-report': z.looseObject({
        'blocked-uri': text,
        'violated-directive': text,
        'effective-directive': text.optional(),
      }),
    })
    .transform(({ 'csp-report': report }) => [
      {
        type: 'csp-violation',
        body: {
          blockedURL: report['blocked-uri'],
          effectiveDirective: report['effective-directive'] ?? report['violated-directive'],
        },
      },
    ]),
]);

const DIRECTIVES = new Set(['script-src', 'connect-src', 'frame-src', 'style-src', 'img-src', 'font-src']);

/**
 * Counts what browsers report as blocked, and logs each kind once: a payment that cannot be made because a frame of Stripe is
 * blocked shows here, and nowhere else.
 */
export function createPolicyReports(meter: Meter, logger: Logger): Router {
  const counter = meter.createCounter('casewatch_csp_reports_total', {
    description: "What browsers report as blocked by the pages' Content Security Policy.",
  });
  for (const directive of [...DIRECTIVES, 'other'])
    for (const source of ['stripe', 'other']) counter.add(0, { directive, source });
  const logged = new Set<string>();
  const note = (blockedUrl: string, reported: string) => {
    // `script-src-elem` is a part of `script-src`.
    const name = reported.split(' ')[0]?.replace(/-(elem|attr)$/, '') ?? '';
    const directive = DIRECTIVES.has(name) ? name : 'other';
    const origin = URL.canParse(blockedUrl) ? new URL(blockedUrl).origin : 'inline';
    counter.add(1, { directive, source: isOfStripe(origin) ? 'stripe' : 'other' });
    const kind = `${directive} ${origin}`;
    if (logged.has(kind) || logged.size >= MAX_LOGGED) return;
    logged.add(kind);
    logger.warn(
      { directive, origin },
      'gateway: a browser reports that the security policy blocked something',
    );
  };
  const router = Router();
  router.post(
    POLICY_REPORTS_PATH,
    (_req, res, next) => {
      setRoute(res, POLICY_REPORTS_PATH);
      next();
    },
    express.json({
      type: ['application/csp-report', 'application/reports+json', 'application/json'],
      limit: MAX_REPORT_BYTES,
    }),
    (req, res) => {
      const sent = reports.safeParse(req.body);
      if (!sent.success) return void res.status(400).end();
      for (const { type, body } of sent.data)
        if (type === 'csp-violation') note(body.blockedURL, body.effectiveDirective);
      res.status(204).end();
    },
  );
  return router;
}
