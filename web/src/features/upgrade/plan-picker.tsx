import type { Price } from '@casewatch/contracts/billing';
import { dollars } from '../../lib/dollars.ts';
import { savingOf } from './price-words.ts';

interface PlanPickerProps {
  prices: readonly Price[];
  chosen: Price | undefined;
  /** While a payment is under way its price stays. */
  disabled: boolean;
  onChoose: (price: Price) => void;
}

/** One button for each price. */
export function PlanPicker({ prices, chosen, disabled, onChoose }: PlanPickerProps) {
  return (
    <fieldset className="plan-picker">
      <legend>Choose your billing</legend>
      {prices.map((price) => (
        <button
          key={price.id}
          type="button"
          className="plan-option"
          aria-pressed={price.id === chosen?.id}
          disabled={disabled}
          onClick={() => onChoose(price)}
        >
          <span className="plan-option-amount">
            <strong>{dollars(price.amount)}</strong>/{price.interval}
          </span>{' '}
          <span className="plan-option-name">{price.displayName} billing</span>{' '}
          <Saving text={savingOf(price)} />
        </button>
      ))}
    </fieldset>
  );
}

function Saving({ text }: { text: string | undefined }) {
  return text === undefined ? null : <span className="plan-option-saving">{text}</span>;
}
