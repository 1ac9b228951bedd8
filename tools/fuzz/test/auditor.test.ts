import { isPermitted } from '@casewatch/contracts/admin-roles';
import { routes } from '@casewatch/contracts/routes';
import { expect, test } from 'vitest';
import { SIGNED, useFuzzed } from './use-fuzzed.ts';

const adminRoutes = routes.filter(({ access }) => access === 'admin');
const fuzzed = useFuzzed(
  'auditor',
  adminRoutes.map(({ id }) => id),
);

test('no answer to an auditor shows a name, an e-mail address or a receipt number, nor is any undocumented', () => {
  const { passed, output } = fuzzed();
  expect(passed, output).toBe(true);
});

test('every admin route has served an auditor, or refused every one, as the role says', () => {
  for (const { id, permission } of adminRoutes) {
    const statuses = [...(fuzzed().answers.get(id)?.keys() ?? [])];
    const isServed = statuses.some((status) => status < 400);
    if (!isPermitted('auditor', permission)) {
      expect([id, isServed, statuses.includes(403)]).toEqual([id, false, true]);
    } else if (!SIGNED.includes(id)) expect([id, isServed]).toEqual([id, true]);
  }
});
