import type { AdminRole } from '@casewatch/contracts/admin-roles';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

const KEY = ['administrators'];

export function useAdministrators() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi(endpoints.listAdministrators, { signal }),
  });
}

export function useInviteAdministrator() {
  return useChange((body: { email: string; role: AdminRole }) =>
    callApi(endpoints.inviteAdministrator, { body }),
  );
}

/** Returns a new link, by which the administrator sets everything again. */
export function useRenewInvitation() {
  return useChange((id: string) => callApi(endpoints.renewInvitation, { params: { id } }));
}

export function useChangeRole() {
  return useChange(({ id, role }: { id: string; role: AdminRole }) =>
    callApi(endpoints.changeAdministrator, { params: { id }, body: { role } }),
  );
}

export function useRemoveAdministrator() {
  return useChange((id: string) => callApi(endpoints.removeAdministrator, { params: { id } }));
}

function useChange<Variables, Answer>(change: (variables: Variables) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Also after a refusal: another owner may have changed the list.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
