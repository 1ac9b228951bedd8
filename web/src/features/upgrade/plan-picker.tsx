import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAddsTax } from '../../api/billing.ts';
import { dollars } from '../../lib/format-number.ts';
import { priceName, savingOf } from './price-words.ts';

interface PlanPickerProps {
  prices: readonly Price[];
  chosen: Price | undefined;
  /** While a payment is in progress its price stays. */
  disabled: boolean;
  onChoose: (price: Price) => void;
}

/** Renders one button for each price. */
export function PlanPicker({ prices, chosen, disabled, onChoose }: PlanPickerProps) {
  const addsTax = useAddsTax();
  return (
    <fieldset className="plan-picker">
      <legend>
        <Trans>Choose your billing</Trans>
      </legend>
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
            <Amount price={price} />
            {addsTax && (
              <>
                {' '}
                <Trans>plus tax</Trans>
              </>
            )}
          </span>{' '}
          <span className="plan-option-name">{t`${priceName(price)} billing`}</span>{' '}
          <Saving text={savingOf(price)} />
        </button>
      ))}
    </fieldset>
  );
}

function Amount({ price: { amount, interval } }: { price: Price }) {
  const price = dollars(amount);
  return interval === 'year' ? (
    <Trans>
      <strong>{price}</strong>/year
    </Trans>
  ) : (
    <Trans>
      <strong>{price}</strong>/month
    </Trans>
  );
}

function Saving({ text }: { text: string | undefined }) {
  return text === undefined ? null : <span className="plan-option-saving">{text}</span>;
}
