import type { AdminRole } from '@casewatch/contracts/admin-roles';

export const ROLE_WORDS: Readonly<Record<AdminRole, string>> = {
  owner: 'Owner',
  auditor: 'Auditor',
  'survey-editor': 'Survey editor',
};

export const ROLE_HINTS: Readonly<Record<AdminRole, string>> = {
  owner: 'Sees and changes everything, and invites administrators.',
  auditor: 'Reads the logs, the surveys and the audit trail. Personal data of users is masked.',
  'survey-editor': 'Creates surveys and sees their answers. Nothing else.',
};
