import { expect, it } from 'vitest';
import { readAuditFilters, withAuditFilters } from './audit-filters.ts';

it('the filters in the address are read back as they were written, and nothing else', () => {
  const filters = {
    action: 'survey.deleted',
    subject: 'survey:1',
    actor: 'Grace',
    success: 'false',
    from: '2026-01-01T00:00:00.000Z',
  } as const;
  const address = withAuditFilters(new URLSearchParams('tab=audit&to=2026-02-01'), filters).toString();
  expect(address).toContain('tab=audit');
  expect(readAuditFilters(new URLSearchParams(address))).toEqual(filters);
  expect(readAuditFilters(new URLSearchParams('success=perhaps&from=x&action=%20'))).toEqual({});
});
