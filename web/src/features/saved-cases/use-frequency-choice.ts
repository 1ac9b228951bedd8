import type { SavedCase } from '@casewatch/contracts/cases';
import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { useMe } from '../../api/session.ts';
import { useChangeFrequency } from '../../api/watches.ts';
import { useCaseChanges } from './use-case-changes.ts';
import { useUpdateToast } from './use-update-toast.ts';

/** Keys that choose, or begin to; every other key types ahead. */
const NOT_A_CHOICE = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'Escape', 'Enter']);

interface FrequencyChoice {
  /** What to show: the choice while it is made and saved, else what the server has. */
  frequency: MonitoringFrequency;
  /** It was chosen by keyboard and is not saved yet. */
  isDraft: boolean;
  control: SelectHandlers;
}

interface SelectHandlers {
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: () => void;
  onBlur: () => void;
}

/**
 * Saves the choice of a frequency and says how it went. With the arrow keys a selector passes through values that nobody
 * wants: what is chosen by keyboard is saved once, by Enter or on leaving. `onProNeeded` gets the feature's name when the
 * plan does not have it.
 */
export function useFrequencyChoice(
  { receiptNumber, monitoringFrequency, monitoringPausedAt }: SavedCase,
  onProNeeded: (feature: string) => void,
): FrequencyChoice {
  const { user } = useMe();
  const { mutateAsync, isPending, variables } = useChangeFrequency(receiptNumber);
  const told = useUpdateToast();
  const { undo } = useCaseChanges();
  const isByKeyboard = useRef(false);
  const [draft, setDraft] = useState<MonitoringFrequency>();
  const shown = isPending ? variables : monitoringFrequency;

  const change = async (wanted: MonitoringFrequency) => {
    try {
      await mutateAsync(wanted);
    } catch (error) {
      return hasCode(error, 'PRO_REQUIRED')
        ? onProNeeded(t`Automated Monitoring`)
        : told.failed(error, receiptNumber);
    }
    // A frequency that is paused can't be chosen again without Pro.
    if (wanted !== 'none' || monitoringPausedAt === null) return told.updated();
    const receiptNumbers = [receiptNumber];
    told.updated(
      () => void undo([{ action: 'setFrequency', receiptNumbers, monitoringFrequency, evenIfPaused: true }]),
    );
  };
  const choose = (wanted: MonitoringFrequency) => {
    setDraft(undefined);
    isByKeyboard.current = false;
    if (wanted === shown) return;
    if (wanted !== 'none' && user?.tier !== 'pro') return onProNeeded(t`Automated Monitoring`);
    void change(wanted);
  };
  const chooseDraft = () => {
    if (draft !== undefined) choose(draft);
  };

  return {
    frequency: draft ?? shown,
    isDraft: draft !== undefined && draft !== shown,
    control: {
      onChange: ({ currentTarget }) => {
        const wanted = MONITORING_FREQUENCIES.find((one) => one === currentTarget.value);
        if (!wanted) return;
        if (isByKeyboard.current) setDraft(wanted);
        else choose(wanted);
      },
      onKeyDown: ({ key }) => {
        if (key === 'Enter') chooseDraft();
        if (key === 'Escape') setDraft(undefined);
        if (!NOT_A_CHOICE.has(key)) isByKeyboard.current = true;
      },
      onPointerDown: () => {
        isByKeyboard.current = false;
      },
      onBlur: chooseDraft,
    },
  };
}
