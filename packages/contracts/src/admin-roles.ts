/** The roles of administrators: everything; reading with personal data masked; surveys only. */
export const ADMIN_ROLES = ['owner', 'auditor', 'survey-editor'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** What an admin route asks of its caller's role. */
export type AdminPermission =
  | 'logs.read'
  | 'logs.export'
  /** The administrator's own saved views of the log. */
  | 'own-log-views'
  | 'audit.read'
  | 'surveys.read'
  | 'surveys.edit'
  | 'survey-answers.read'
  | 'administrators.manage'
  /** Calls of the agency and checks on demand, for its reviewers. */
  | 'agency.demonstrate'
  /** How the administrators themselves sign in. */
  | 'own-account';

/** An owner may do everything. Survey answers are texts of users, which no masking makes safe for an auditor. */
const GRANTED: Readonly<Record<Exclude<AdminRole, 'owner'>, ReadonlySet<AdminPermission>>> = {
  auditor: new Set(['logs.read', 'own-log-views', 'audit.read', 'surveys.read', 'own-account']),
  'survey-editor': new Set(['surveys.read', 'surveys.edit', 'survey-answers.read', 'own-account']),
};

/** Returns whether a role has a permission. What names none is for owners only. */
export function isPermitted(role: AdminRole, permission: AdminPermission | undefined): boolean {
  if (role === 'owner') return true;
  return permission !== undefined && GRANTED[role].has(permission);
}

/** Returns whether personal data of users is masked in every answer to this role. */
export function seesMaskedData(role: AdminRole): boolean {
  return role === 'auditor';
}
