import { ADMIN_ROLES, isPermitted } from '@casewatch/contracts/admin-roles';
import { routes } from '@casewatch/contracts/routes';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { EDITOR, newUserId, startSurveys } from './surveys-fixture.ts';

const surveys = await forThisFile(startSurveys());

const adminRoutes = routes.filter(({ service, access }) => service === 'surveys' && access === 'admin');

test.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s is open to the roles that its contract names, and shows an auditor no answer of a user',
  async (_name, { method, path, permission }) => {
    const { surveyId, questionId } = await surveys.askedSurvey();
    const userId = newUserId();
    await surveys.loggedIn(userId, 1);
    const answered = await surveys.respond(userId, surveyId, [
      { questionId, responseText: 'canary EAC9999103403' },
    ]);
    expect(answered.ok).toBe(true);
    for (const adminRole of ADMIN_ROLES) {
      const url = path.replace(':id', path.includes('questions') ? questionId : surveyId);
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      // With a version that does not exist no role can remove anything.
      const query = method === 'DELETE' ? '?version=-1' : '';
      const answer = await surveys.call(method, `${url}${query}`, { adminSession: EDITOR, adminRole, body });
      const text = await answer.text();
      const isDenied = answer.status === 403 && text.includes('PERMISSION_DENIED');
      expect([adminRole, isDenied]).toEqual([adminRole, !isPermitted(adminRole, permission)]);
      if (adminRole === 'auditor') {
        for (const seed of ['canary', 'EAC9999103403', userId]) expect(text).not.toContain(seed);
      }
    }
  },
);
