import type { ExportedCase } from '@casewatch/contracts/exports';
import { expect, test } from 'vitest';
import { caseSection } from './report-html.ts';

const one: ExportedCase = {
  receiptNumber: 'EAC9999103403',
  nickname: null,
  monitoringFrequency: 'none',
  monitoringPausedAt: null,
  lastCheckedAt: '2026-01-06T12:00:00.000Z',
  lastKnownStatus: 'Case Was Approved',
  createdAt: '2026-01-06T12:00:00.000Z',
  tags: [],
  archivedAt: null,
  snoozedUntil: null,
  formType: 'I-130',
  statusChangedAt: '2026-01-05T02:00:00.000Z',
  history: [],
};

test('a status is since the day that the agency wrote, and only what we saw ourselves has a time', () => {
  expect(caseSection({ ...one, statusDate: '2026-01-05' })).toContain('<dd>Jan 5, 2026</dd>');
  expect(caseSection(one)).toMatch(/<dd>Jan \d, 2026 \d+:00 [AP]M<\/dd>/);
});

test('an entry that the agency no longer lists says so', () => {
  const entry = {
    caseStatus: 'Case Was Received',
    statusHistDate: '2026-01-05',
    source: 'agency' as const,
    firstObservedAt: null,
  };
  const history = [{ ...entry, withdrawnAt: '2026-02-03T12:00:00.000Z' }, entry];
  const section = caseSection({ ...one, history });
  expect(section).toContain('<td>Jan 5, 2026 (not in the agency’s history since Feb 3, 2026)</td>');
  expect(section).toContain('<td>Jan 5, 2026</td>');
});
