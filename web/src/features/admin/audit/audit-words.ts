import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { ROLE_WORDS } from '../shared/admin-words.ts';

export function roleWords(role: string): string {
  const known = ADMIN_ROLES.find((each) => each === role);
  return known ? ROLE_WORDS[known] : role;
}
