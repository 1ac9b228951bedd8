import type { BulkOutcome } from '@casewatch/contracts/workspace';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Ref } from 'react';
import { AgencyMessage } from '../../components/agency-message.tsx';
import { Icon } from '../../components/icon.tsx';
import { serverText } from '../../lib/server-texts.ts';
import { outcomeText } from './use-case-changes.ts';

const SHOWN_MAX = 100;

export interface BulkResult {
  title: string;
  results: readonly BulkOutcome[];
  /** Undefined for what can't be taken back. */
  takeBack: (() => void) | undefined;
}

interface BulkOutcomesProps extends BulkResult {
  isBusy: boolean;
  onClose: () => void;
  ref?: Ref<HTMLElement>;
}

/** Renders what became of each case of a change of many: how many took it, and why the others did not. */
export function BulkOutcomes({ title, results, takeBack, isBusy, onClose, ref }: BulkOutcomesProps) {
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  return (
    <section className="card bulk-outcomes" ref={ref} tabIndex={-1} aria-label={t`Result of the last change`}>
      <p>
        <strong>{title}:</strong> {outcomeText(results, 'updated')}
      </p>
      {takeBack && (
        <button
          type="button"
          className="btn btn-link btn-sm"
          aria-disabled={isBusy}
          onClick={() => !isBusy && takeBack()}
        >
          <Trans>Undo</Trans>
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t`Close the result`} onClick={onClose}>
        <Icon name="x" size={16} />
      </button>
      {refused.length > 0 && (
        <ul>
          {refused.slice(0, SHOWN_MAX).map((one) => (
            <li key={one.receiptNumber}>
              <span className="receipt-number">{one.receiptNumber}</span> {serverText(one)}
              <AgencyMessage words={one.agencyMessage} />
            </li>
          ))}
          {refused.length > SHOWN_MAX && <li>{t`and ${refused.length - SHOWN_MAX} more`}</li>}
        </ul>
      )}
    </section>
  );
}
