import { isPermitted } from '@casewatch/contracts/admin-roles';
import { routes } from '@casewatch/contracts/routes';
import { forThisFile } from '@casewatch/testing/for-this-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMIN, newUserId, startAdminLog } from './admin-log-fixture.ts';

const log = await forThisFile(startAdminLog());

const adminRoutes = routes.filter(({ service, access }) => service === 'admin-log' && access === 'admin');
const asAuditor = (path: string, method = 'GET') =>
  log.call(method, path, { adminSession: ADMIN, adminRole: 'auditor' });

const name = fc.stringMatching(/^[A-Z][a-zéüñ]{7,15}$/);
const person = fc.record({
  name,
  receipt: fc.stringMatching(/^[A-Z]{3}[0-9]{10}$/),
  email: fc.stringMatching(/^[a-z.]{6,12}@[a-z]{6,12}\.example$/),
  secret: fc.stringMatching(/^canary-[a-z0-9]{12}$/),
});

test('no answer to an auditor holds personal data, whatever the calls and the trail are about', () =>
  fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 4 }), async (people) => {
      const userIds: string[] = [];
      for (const { name, receipt, email, secret } of people) {
        const userId = newUserId();
        userIds.push(userId);
        await log.lookedUp({
          receiptNumber: receipt,
          userId,
          userFirstName: name,
          source: 'user',
          response: `Dear ${name}, ${receipt} ${secret} ${email}`,
        });
        await log.adminActed({
          action: 'support.looked-up',
          subject: `case:${receipt}`,
          details: { receipt: receipt.toLowerCase(), 'mailed to': email, [receipt]: 'yes', userName: name },
        });
      }
      const seeds = [...userIds, ...people.flatMap((each) => Object.values(each))].map((seed) =>
        seed.toLowerCase(),
      );
      const list = (await (await log.get('/api/admin/logs')).json()) as { logs: Record<string, unknown>[] };
      const ofRow = (_: string, name: string) => String(list.logs[0]?.[name]);
      for (const { method, path, permission } of adminRoutes.filter((each) => each.method === 'GET')) {
        const answer = await asAuditor(path.replaceAll(/:(\w+)/g, ofRow), method);
        const text = (await answer.text()).toLowerCase();
        expect([path, answer.status]).toEqual([path, isPermitted('auditor', permission) ? 200 : 403]);
        expect(seeds.filter((seed) => text.includes(seed))).toEqual([]);
      }
      // Shown able to fail: an owner sees all of it.
      const shown = (await (await log.get('/api/admin/logs?limit=200')).text()).toLowerCase();
      expect(seeds.slice(0, userIds.length).every((seed) => shown.includes(seed))).toBe(true);
    }),
    { numRuns: 15 },
  ));

test.each(['receiptNumber=EAC', 'user=ma'])(
  'an auditor can’t find out personal data by a search for %s',
  async (query) => {
    const answer = await asAuditor(`/api/admin/logs?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'PERMISSION_DENIED' }]);
    expect((await asAuditor('/api/admin/logs?source=user&success=true')).status).toBe(200);
  },
);

test('a survey editor sees nothing of the log', async () => {
  for (const { method, path } of adminRoutes) {
    const body = method === 'PUT' ? { body: {} } : {};
    const answer = await log.call(method, path, { adminSession: ADMIN, adminRole: 'survey-editor', ...body });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});
