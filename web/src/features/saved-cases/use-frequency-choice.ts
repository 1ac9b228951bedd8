import type { SavedCase } from '@casewatch/contracts/cases';
import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { hasCode } from '../../api/api-error.ts';
import { useMe } from '../../api/session.ts';
import { useChangeFrequency } from '../../api/watches.ts';
import { useCaseChanges } from './use-case-changes.ts';
import { useKeyboardDraft } from './use-keyboard-draft.ts';
import { useUpdateToast } from './use-update-toast.ts';

interface FrequencyChoice {
  /** What to show: the choice while it is made and saved, else what the server has. */
  frequency: MonitoringFrequency;
  /** It was chosen by keyboard and is not saved yet. */
  isDraft: boolean;
  control: ReturnType<typeof useKeyboardDraft>['control'];
}

/** Saves the choice of a frequency and says how it went. `onProNeeded` gets the feature's name when the plan does not have it. */
export function useFrequencyChoice(
  { receiptNumber, monitoringFrequency, monitoringPausedAt }: SavedCase,
  onProNeeded: (feature: string) => void,
): FrequencyChoice {
  const { user } = useMe();
  const { mutateAsync, isPending, variables } = useChangeFrequency(receiptNumber);
  const updateToast = useUpdateToast();
  const { undo } = useCaseChanges();
  const shown = isPending ? variables : monitoringFrequency;

  const change = async (wanted: MonitoringFrequency) => {
    try {
      await mutateAsync(wanted);
    } catch (error) {
      return hasCode(error, 'PRO_REQUIRED')
        ? onProNeeded(t`Automated Monitoring`)
        : updateToast.failed(error, receiptNumber);
    }
    // A frequency that is paused can't be chosen again without Pro.
    if (wanted !== 'none' || monitoringPausedAt === null) return updateToast.updated();
    const receiptNumbers = [receiptNumber];
    updateToast.updated(
      () => void undo([{ action: 'setFrequency', receiptNumbers, monitoringFrequency, evenIfPaused: true }]),
    );
  };
  const choose = (wanted: MonitoringFrequency) => {
    if (wanted === shown) return;
    if (wanted !== 'none' && user?.tier !== 'pro') return onProNeeded(t`Automated Monitoring`);
    void change(wanted);
  };
  const { draft, control } = useKeyboardDraft(
    (text) => MONITORING_FREQUENCIES.find((one) => one === text),
    choose,
  );

  return { frequency: draft ?? shown, isDraft: draft !== undefined && draft !== shown, control };
}
