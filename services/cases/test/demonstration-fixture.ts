import {
  type AgencyDemonstration,
  agencyDemonstration,
  type DemonstratedCase,
} from '@casewatch/contracts/agency-demonstration';
import { expect } from 'vitest';
import type { CasesFixture } from './cases-fixture.ts';

export const PATH = '/api/admin/agency-demonstration';
export const SESSION = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';
export const GRACE = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b12';
export const NUMBER = 'EAC9999103403';
export const HEADER_SECRET = 'header-secret-9f8e';
/** Of a service that has been assigned a demo id. */
export const DEMO_ENV = {
  AGENCY_DEMO_ID: '4711',
  AGENCY_HEADERS: JSON.stringify({ 'X-Key': HEADER_SECRET, 'X-Short': 'abc' }),
};

/** Demonstrates as a named administrator. */
export const sendDemonstration = (cases: CasesFixture, wanted: DemonstratedCase, receiptNumber = NUMBER) =>
  cases.call('POST', PATH, {
    adminSession: SESSION,
    administratorId: GRACE,
    body: { case: wanted, receiptNumber },
  });

/** Returns the record, and all of the answer as text. */
export async function demonstrateAt(cases: CasesFixture, wanted: DemonstratedCase, receiptNumber?: string) {
  const answer = await sendDemonstration(cases, wanted, receiptNumber);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return { record: agencyDemonstration.parse(JSON.parse(text)), text };
}

export const refusalOf = ({ shown }: AgencyDemonstration) =>
  shown && 'refusal' in shown ? shown.refusal : undefined;
