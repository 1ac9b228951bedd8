/** What administrators do, as it is stored, and as people say it. */
const WORDS: Readonly<Record<string, string>> = {
  'session.opened': 'Signed in',
  'session.refused': 'Sign-in refused',
  'session.closed': 'Signed out',
  'administrator.invited': 'Administrator invited',
  'administrator.invitation-renewed': 'Invitation renewed',
  'administrator.joined': 'Administrator joined',
  'administrator.role-changed': 'Role changed',
  'administrator.access-ended': 'Access ended',
  'administrator.removed': 'Administrator removed',
  'administrator.passkey-added': 'Passkey added',
  'administrator.passkey-removed': 'Passkey removed',
  'agency.demonstrated': 'Agency call demonstrated',
  'checks.started': 'Due checks started',
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

/** Returns an action as people say it; of one that is not known here, its own name without the punctuation. */
export function actionWords(action: string): string {
  const known = WORDS[action];
  if (known !== undefined) return known;
  const words = action.replace(/[.-]+/g, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns the stored names of the known actions whose words, from one of them on, begin like this, in any case. */
export function actionsCalled(words: string): string[] {
  const start = ` ${words.trim().toLowerCase()}`;
  return Object.keys(WORDS).filter((action) => ` ${WORDS[action]?.toLowerCase()}`.includes(start));
}
