import type { AgencyDemonstration, DemonstratedCase } from '@casewatch/contracts/agency-demonstration';
import type { DueChecks } from '@casewatch/contracts/monitoring';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

/** One step of a demonstration; `nth` counts from 1. */
export type DemonstrationStep = { readonly nth: number } & (
  | { readonly kind: 'call'; readonly call: AgencyDemonstration }
  | { readonly kind: 'batch'; readonly batch: DueChecks }
);

const KEY = ['demonstration'];
const NONE: readonly DemonstrationStep[] = [];

/** Returns the steps so far, the oldest first. They stay while another tab is shown, until the admin area is locked. */
export function useDemonstrationSteps(): readonly DemonstrationStep[] {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => NONE,
    initialData: NONE,
    enabled: false,
    gcTime: Infinity,
  });
  return data;
}

export function useForgetSteps(): () => void {
  const client = useQueryClient();
  return () => client.setQueryData(KEY, NONE);
}

/** Returns whether a step is being made, also one that began before another tab was shown. */
export function useIsDemonstrating(): boolean {
  return useIsMutating({ mutationKey: KEY }) > 0;
}

export function useDemonstrateCall() {
  return useStep(async (body: { case: DemonstratedCase; receiptNumber: string }) => ({
    kind: 'call' as const,
    call: await callApi(endpoints.demonstrateAgencyCall, { body }),
  }));
}

export function useCheckDueCases() {
  return useStep(async () => ({ kind: 'batch' as const, batch: await callApi(endpoints.checkDueCases) }));
}

function useStep<Variables, Step extends object>(make: (variables: Variables) => Promise<Step>) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: KEY,
    mutationFn: make,
    onSuccess: (step) =>
      client.setQueryData(KEY, (before: readonly DemonstrationStep[] = NONE) => [
        ...before,
        { nth: (before.at(-1)?.nth ?? 0) + 1, ...step },
      ]),
  });
}
