import { useMutation } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

/** Opens the admin area; the answer says after how many idle seconds it closes again. */
export function useAdminLogIn() {
  return useMutation({
    mutationFn: (passcode: string) => callApi(endpoints.adminLogIn, { body: { passcode } }),
  });
}

/** Closes the admin area on the server. What the page holds of it is the page's to drop. */
export function useAdminLogOut() {
  return useMutation({ mutationFn: () => callApi(endpoints.adminLogOut) });
}
