import { type AdminPermission, isPermitted, seesMaskedData } from '@casewatch/contracts/admin-roles';
import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import { createContext, useContext } from 'react';
import { isAdminEnded } from '../../../api/admin-session.ts';
import { useFailureToast } from '../../../components/toast/toast-provider.tsx';

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

/** Reports a failure in the server's words, else in the given ones. An ended session has its own screen. */
export function useAdminFailure() {
  const fail = useFailureToast();
  return (error: unknown, fallback: string) => {
    if (!isAdminEnded(error)) fail(error, fallback, 'Error');
  };
}
