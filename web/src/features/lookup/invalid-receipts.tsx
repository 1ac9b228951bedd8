import { t } from '@lingui/core/macro';
import { Icon } from '../../components/icon.tsx';
import type { InvalidReceipt } from '../../lib/find-receipt-numbers.ts';

/** More would push the button off the screen; the count says how many there are. */
const SHOWN_MAX = 10;

interface InvalidReceiptsProps {
  invalid: readonly InvalidReceipt[];
  onRemove: (entry: InvalidReceipt) => void;
}

/** Renders what in the box is no receipt number, each with the reason and a way to take it out. */
export function InvalidReceipts({ invalid, onRemove }: InvalidReceiptsProps) {
  if (invalid.length === 0) return null;
  return (
    <ul className="receipt-chips" aria-label={t`Invalid entries`}>
      {withKeys(invalid.slice(0, SHOWN_MAX)).map(({ key, entry }) => (
        <li key={key} className="receipt-chip">
          <span>
            <span className="receipt-number">{entry.text}</span> <span>{entry.reason}</span>
          </span>
          <button
            type="button"
            className="icon-button"
            aria-label={t`Remove ${entry.text}`}
            onClick={() => onRemove(entry)}
          >
            <Icon name="x" size={14} />
          </button>
        </li>
      ))}
      {invalid.length > SHOWN_MAX && <li>{t`and ${invalid.length - SHOWN_MAX} more`}</li>}
    </ul>
  );
}

/** Two lines may be alike. */
function withKeys(entries: readonly InvalidReceipt[]) {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const times = (seen.get(entry.text) ?? 0) + 1;
    seen.set(entry.text, times);
    return { entry, key: `${entry.text} ${times}` };
  });
}
