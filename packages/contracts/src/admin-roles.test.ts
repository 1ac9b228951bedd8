import { expect, test } from 'vitest';
import { ADMIN_ROLES, type AdminRole, isPermitted } from './admin-roles.ts';
import { routes } from './routes.ts';

const allAdminRoutes = routes.filter(({ access }) => access === 'admin');
/** Without those of their own account and their own views of the log. */
const adminRoutes = allAdminRoutes.filter(({ permission }) => !permission?.startsWith('own-'));

test.each(allAdminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s names the permission that it asks for',
  (_name, { permission }) => expect(permission).toEqual(expect.any(String)),
);

test('no other route names one', () => {
  expect(routes.filter(({ access, permission }) => access !== 'admin' && permission)).toEqual([]);
});

test('except for their own account and views an auditor changes nothing, and exports nothing but the audit trail', () => {
  const open = adminRoutes.filter(({ permission }) => isPermitted('auditor', permission));
  expect(open.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(open.filter(({ answerType }) => answerType).map(({ id }) => id)).toEqual(['exportAuditCsv']);
});

test('every role reaches its own account, which is no one else’s', () => {
  const own = allAdminRoutes.filter(({ permission }) => permission === 'own-account');
  expect(own.map(({ id }) => id)).toEqual([
    'listAdminPasskeys',
    'startAdminPasskeyRegistration',
    'addAdminPasskey',
    'removeAdminPasskey',
  ]);
  expect(ADMIN_ROLES.every((role) => isPermitted(role, 'own-account'))).toBe(true);
});

test('those who read the log save views of it', () => {
  const mayBoth = (role: AdminRole) => [isPermitted(role, 'logs.read'), isPermitted(role, 'own-log-views')];
  expect(ADMIN_ROLES.map(mayBoth)).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
});

test('except for their own account a survey editor reaches surveys alone', () => {
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
