import type { SavedCase } from '@casewatch/contracts/cases';
import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { useMe } from '../../api/session.ts';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import { Icon } from '../../components/icon.tsx';
import { useFrequencyChoice } from './use-frequency-choice.ts';
import { pausedWords, watchWords } from './watch-words.ts';

export const FREQUENCY_NAMES: Record<MonitoringFrequency, MessageDescriptor> = {
  none: msg`None`,
  daily: msg`Daily`,
  weekly: msg`Weekly`,
  monthly: msg`Monthly`,
};

interface MonitoringFieldProps {
  savedCase: SavedCase;
  /** Undefined as long as it is not known when the cases will be checked. */
  watches: ReadWatches | undefined;
  onProNeeded: (feature: string) => void;
}

/** Renders how often a case is checked, and when that happens next. */
export function MonitoringField({ savedCase, watches, onProNeeded }: MonitoringFieldProps) {
  const id = useId();
  const { receiptNumber, monitoringFrequency } = savedCase;
  const { user } = useMe();
  const { frequency, isDraft, control } = useFrequencyChoice(savedCase, onProNeeded);
  const paused = pausedWords(savedCase, user?.tier);
  const isWatched = frequency !== 'none' && monitoringFrequency !== 'none';
  return (
    <div className="monitoring">
      <label htmlFor={id}>
        <Trans>
          Monitoring<span className="visually-hidden"> frequency of {receiptNumber}</span>
        </Trans>
      </label>
      <select id={id} className="form-select" value={frequency} {...control} aria-describedby={`${id}-next`}>
        {MONITORING_FREQUENCIES.map((one) => (
          <option key={one} value={one}>
            {i18n._(FREQUENCY_NAMES[one])}
          </option>
        ))}
      </select>
      <div id={`${id}-next`} className="next-check">
        {isDraft && (
          <p>
            <Trans>Press Enter to save</Trans>
          </p>
        )}
        {!isDraft && isWatched && paused !== undefined && (
          <p className="late-reason">
            <Icon name="pause" size={16} />
            <span>{paused}</span>
          </p>
        )}
        {!isDraft && isWatched && paused === undefined && watches && (
          <NextCheck savedCase={savedCase} watches={watches} />
        )}
      </div>
    </div>
  );
}

function NextCheck({ savedCase, watches }: { savedCase: SavedCase; watches: ReadWatches }) {
  const { receiptNumber, monitoringFrequency } = savedCase;
  const watch = watches.byReceipt.get(receiptNumber);
  const { reason, next } = watchWords(watch, monitoringFrequency, watches.readAtMs);
  return (
    <>
      {reason !== undefined && (
        <p className="late-reason">
          <Icon name="info" size={16} />
          <span>{reason}</span>
        </p>
      )}
      <p>
        <Icon name="clock" size={16} />
        <span>{next}</span>
      </p>
    </>
  );
}
