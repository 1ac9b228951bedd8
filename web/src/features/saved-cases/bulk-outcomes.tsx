import type { BulkOutcome } from '@casewatch/contracts/workspace';
import { t } from '@lingui/core/macro';
import type { Ref } from 'react';
import { Icon } from '../../components/icon.tsx';
import { serverText } from '../../lib/server-texts.ts';
import { outcomeText } from './use-case-changes.ts';

const SHOWN_MAX = 100;

interface BulkOutcomesProps {
  title: string;
  results: readonly BulkOutcome[];
  onClose: () => void;
  ref?: Ref<HTMLElement>;
}

/** Renders what became of each case of a change of many: how many took it, and why the others did not. */
export function BulkOutcomes({ title, results, onClose, ref }: BulkOutcomesProps) {
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  return (
    <section className="card bulk-outcomes" ref={ref} tabIndex={-1} aria-label={t`Result of the last change`}>
      <p>
        <strong>{title}:</strong> {outcomeText(results, 'updated')}
      </p>
      <button type="button" className="icon-button" aria-label={t`Close the result`} onClick={onClose}>
        <Icon name="x" size={16} />
      </button>
      {refused.length > 0 && (
        <ul>
          {refused.slice(0, SHOWN_MAX).map((one) => (
            <li key={one.receiptNumber}>
              <span className="receipt-number">{one.receiptNumber}</span> {serverText(one)}
            </li>
          ))}
          {refused.length > SHOWN_MAX && <li>{t`and ${refused.length - SHOWN_MAX} more`}</li>}
        </ul>
      )}
    </section>
  );
}
