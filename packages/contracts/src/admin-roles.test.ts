import { expect, test } from 'vitest';
import { isPermitted } from './admin-roles.ts';
import { routes } from './routes.ts';

const adminRoutes = routes.filter(({ access }) => access === 'admin');

test.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s names the permission that it asks for',
  (_name, { permission }) => expect(permission).toEqual(expect.any(String)),
);

test('no other route names one', () => {
  expect(routes.filter(({ access, permission }) => access !== 'admin' && permission)).toEqual([]);
});

test('an auditor changes nothing, and exports nothing but the audit trail', () => {
  const open = adminRoutes.filter(({ permission }) => isPermitted('auditor', permission));
  expect(open.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(open.filter(({ answerType }) => answerType).map(({ id }) => id)).toEqual(['exportAuditCsv']);
});

test('a survey editor reaches surveys alone', () => {
  const open = adminRoutes.filter(({ permission }) => isPermitted('survey-editor', permission));
  expect(open.filter(({ service }) => service !== 'surveys')).toEqual([]);
  expect(open).not.toEqual([]);
});

test('what names no permission is for owners only', () => {
  expect(isPermitted('owner', undefined)).toBe(true);
  expect(isPermitted('auditor', undefined)).toBe(false);
  expect(isPermitted('survey-editor', undefined)).toBe(false);
});

/** Texts of a query that find nothing about a user, however they are guessed. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  // The service reads `q` and refuses what is personal in it (services/admin-log/test/search.test.ts).
  listLogs: ['q', 'source', 'success', 'statusCode', 'from', 'to', 'limit', 'offset', 'older', 'newer'],
  listAudit: ['action', 'subject', 'actor', 'success', 'from', 'to', 'limit', 'older'],
  exportAuditCsv: ['action', 'subject', 'actor', 'success', 'from', 'to'],
};

test.each(
  adminRoutes
    .filter(({ permission, query }) => query && isPermitted('auditor', permission))
    .map((route) => [route.id, route] as const),
)('an auditor can’t search %s for personal data', (id, { query, personalQuery = [] }) => {
  const names = query && 'shape' in query ? Object.keys(query.shape as object) : [];
  expect(names.length).toBeGreaterThan(0);
  const known = [...(HARMLESS[id] ?? []), ...personalQuery];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});
