import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { ROLE_WORDS } from '../admin/admin-words.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  'session.opened': 'Signed in',
  'session.refused': 'Sign-in refused',
  'session.closed': 'Signed out',
  'administrator.invited': 'Administrator invited',
  'administrator.invitation-renewed': 'Invitation renewed',
  'administrator.joined': 'Administrator joined',
  'administrator.role-changed': 'Role changed',
  'administrator.removed': 'Administrator removed',
  'administrator.passkey-added': 'Passkey added',
  'administrator.passkey-removed': 'Passkey removed',
  'logs.exported': 'API logs exported',
  'audit.exported': 'Audit trail exported',
  'survey.created': 'Survey created',
  'survey.changed': 'Survey changed',
  'survey.deleted': 'Survey deleted',
  'survey.duplicated': 'Survey duplicated',
  'survey.exported': 'Survey responses exported',
  'question.created': 'Question added',
  'question.changed': 'Question changed',
  'question.deleted': 'Question deleted',
};

/** An action as people say it; of one that is not known here, its own name without the punctuation. */
export function actionWords(action: string): string {
  const known = ACTIONS[action];
  if (known !== undefined) return known;
  const words = action.replace(/[.-]+/g, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function roleWords(role: string): string {
  const known = ADMIN_ROLES.find((each) => each === role);
  return known ? ROLE_WORDS[known] : role;
}
