import type { BulkResultItem } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { isSavedIn, type useSavedCasesOf } from '../../api/saved-cases.ts';
import { Icon } from '../../components/icon.tsx';
import { BulkCard } from './bulk-card.tsx';
import { SaveButton } from './save-button.tsx';

interface BulkResultsProps {
  items: readonly BulkResultItem[];
  saved: ReturnType<typeof useSavedCasesOf>;
  /** Takes one item off the screen. */
  onDismiss: (receiptNumber: string) => void;
  onProNeeded: (feature: string) => void;
}

/** Renders one card for each receipt number of a bulk search, in the order given. */
export function BulkResults({ items, saved, onDismiss, onProNeeded }: BulkResultsProps) {
  return (
    <div className="bulk-cards">
      {items.map((item) => {
        const { receiptNumber, success, data } = item;
        return (
          <BulkCard
            key={receiptNumber}
            item={item}
            actions={(describedBy) => (
              <>
                {success && data && (
                  <SaveButton
                    receiptNumber={data.receiptNumber}
                    isSaved={isSavedIn(saved, data.receiptNumber)}
                    describedBy={describedBy}
                    onProNeeded={onProNeeded}
                  />
                )}
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t`Remove ${receiptNumber} from the results`}
                  onClick={() => onDismiss(receiptNumber)}
                >
                  <Icon name="x" />
                </button>
              </>
            )}
          />
        );
      })}
    </div>
  );
}
