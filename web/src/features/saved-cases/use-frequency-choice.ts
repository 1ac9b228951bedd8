import type { SavedCase } from '@casewatch/contracts/cases';
import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';
import { hasCode } from '../../api/api-error.ts';
import { useMe } from '../../api/session.ts';
import { useChangeFrequency } from '../../api/watches.ts';
import { useUpdateToast } from './use-update-toast.ts';

const FEATURE = 'Automated Monitoring';

interface FrequencyChoice {
  /** What to show: the choice while it is being saved, else what the server has. */
  frequency: MonitoringFrequency;
  choose: (value: string) => void;
}

/** Saves the choice of a frequency and says how it went. `onProNeeded` gets the feature's name when the plan does not have it. */
export function useFrequencyChoice(
  { receiptNumber, monitoringFrequency }: SavedCase,
  onProNeeded: (feature: string) => void,
): FrequencyChoice {
  const { user } = useMe();
  const { mutateAsync, isPending, variables } = useChangeFrequency(receiptNumber);
  const told = useUpdateToast();

  const change = async (wanted: MonitoringFrequency) => {
    try {
      await mutateAsync(wanted);
    } catch (error) {
      return hasCode(error, 'PRO_REQUIRED') ? onProNeeded(FEATURE) : told.failed();
    }
    told.updated();
  };

  return {
    frequency: isPending ? variables : monitoringFrequency,
    choose: (value) => {
      const wanted = MONITORING_FREQUENCIES.find((one) => one === value);
      if (!wanted) return;
      if (wanted !== 'none' && user?.tier !== 'pro') return onProNeeded(FEATURE);
      void change(wanted);
    },
  };
}
