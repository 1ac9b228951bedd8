import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import type { Discount } from '../../api/billing.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { count, dollars } from '../../lib/format-number.ts';
import type { PromotionChoice } from './use-checkout.ts';

interface PromotionFieldProps {
  promotion: PromotionChoice;
  /** What is taken off now. */
  discount: Discount | undefined;
  /** While a payment is in progress its amount stays. */
  disabled: boolean;
}

/** Takes a promotion code, or says what the one that was given takes off. */
export function PromotionField({ promotion, discount, disabled }: PromotionFieldProps) {
  const { typed, type, apply, remove, isTrying, problem, wantsFocus } = promotion;
  const [isOpen, setIsOpen] = useState(Boolean(problem) || typed !== '');
  const used = useRef<HTMLParagraphElement>(null);
  const summary = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    // The page keeps a focus that was lost on its main part.
    const isLost = wantsFocus.current && (focused?.matches('body, main') ?? true);
    // As in every form, what is wrong gets the focus; but not from another part of the page.
    if (problem && (isLost || field.current?.form?.contains(focused))) field.current?.focus();
    else if (isLost) (used.current ?? summary.current)?.focus();
    wantsFocus.current = false;
  }, [wantsFocus, problem]);
  if (discount)
    return (
      <p ref={used} className="promotion-used" role="status" tabIndex={-1}>
        <span>{discountWords(discount)}</span>
        {!disabled && (
          <Button onClick={remove}>
            <Trans>Remove code</Trans>
          </Button>
        )}
      </p>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTrying && !disabled) apply(typed);
  };
  const text = problem
    ? failureText(problem, t`The code could not be checked. Please try again.`)
    : undefined;
  return (
    <details className="promotion" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary ref={summary}>
        <Trans>Add a promotion code</Trans>
      </summary>
      <form className="promotion-form" onSubmit={submit}>
        <FormField
          ref={field}
          label={t`Promotion code`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          required
          error={text}
          value={typed}
          // Blanks alone are no code: the browser then asks for one.
          onChange={(event) => type(event.target.value.trimStart())}
        />
        <button type="submit" className="btn btn-outline-secondary" aria-disabled={isTrying || disabled}>
          {isTrying ? t`Checking...` : t`Apply code`}
        </button>
      </form>
    </details>
  );
}

/** Returns what a code takes off and for how long. */
function discountWords({ code, percentOff, amountOff, duration, months }: Discount): string {
  const off = percentOff === null ? dollars(amountOff ?? 0) : `${count(percentOff)}%`;
  if (duration === 'forever') return t`${code}: ${off} off every payment.`;
  if (duration === 'once') return t`${code}: ${off} off the first payment.`;
  return plural(months ?? 0, {
    one: `${code}: ${off} off for # month.`,
    other: `${code}: ${off} off for # months.`,
  });
}
