import { t } from '@lingui/core/macro';
import { Icon } from '../../components/icon.tsx';
import type { InvalidReceipt } from '../../lib/find-receipt-numbers.ts';

/** More would push the button off the screen; the count says how many there are. */
const SHOWN_MAX = 10;

interface InvalidReceiptsProps {
  label: string;
  invalid: readonly InvalidReceipt[];
  /** Gives each a button that takes it out. */
  onRemove?: (entry: InvalidReceipt) => void;
}

/** Renders what is no receipt number, each with the reason. */
export function InvalidReceipts({ label, invalid, onRemove }: InvalidReceiptsProps) {
  if (invalid.length === 0) return null;
  return (
    <ul className="receipt-chips" aria-label={label}>
      {invalid.slice(0, SHOWN_MAX).map((entry) => (
        <li
          key={`${entry.line} ${entry.at}`}
          className={`receipt-chip ${onRemove ? 'receipt-chip-invalid' : ''}`}
        >
          <span>
            <span className="receipt-number">{entry.text}</span> <span>{entry.reason}</span>
          </span>
          {onRemove && (
            <button
              type="button"
              className="icon-button"
              aria-label={t`Remove ${entry.text}`}
              onClick={() => onRemove(entry)}
            >
              <Icon name="x" size={14} />
            </button>
          )}
        </li>
      ))}
      {invalid.length > SHOWN_MAX && <li>{t`and ${invalid.length - SHOWN_MAX} more`}</li>}
    </ul>
  );
}
