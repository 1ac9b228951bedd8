import { type AdminPermission, isPermitted, seesMaskedData } from '@casewatch/contracts/admin-roles';
import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import { createContext, useContext } from 'react';

export const AdminContext = createContext<AdminIdentity | null>(null);

/** Returns whether the signed-in administrator may do this. What the server refuses is not offered. */
export function useMay(): (permission: AdminPermission) => boolean {
  const admin = useContext(AdminContext);
  return (permission) => admin !== null && isPermitted(admin.role, permission);
}

/** Returns whether receipt numbers and users are shown, and can be searched by, or are masked for the administrator's role. */
export function useSeesPersonalData(): boolean {
  const admin = useContext(AdminContext);
  return admin !== null && !seesMaskedData(admin.role);
}
