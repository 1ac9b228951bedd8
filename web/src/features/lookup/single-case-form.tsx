import { t } from '@lingui/core/macro';
import { type ClipboardEvent, type FormEvent, type RefObject, useEffect, useState } from 'react';
import { FormField } from '../../components/form-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { onlyReceiptNumberIn, receiptNumbersIn } from '../../lib/receipt-findings.ts';
import { typedInUpperCase } from '../../lib/typed-in-upper-case.ts';

/** From this many characters on a lookup can be asked for. */
const MIN_INPUT_LENGTH = 5;

interface SingleCaseFormProps {
  ref: RefObject<HTMLInputElement | null>;
  /** What the address says; the field follows it. */
  given: string;
  pending: boolean;
  onLookUp: (receiptNumber: string) => void;
  /** What was asked for is no receipt number. */
  onInvalid: () => void;
  /** The person wants all the receipt numbers that were pasted. */
  onSeveral: (receiptNumbers: string[]) => void;
  /** The button that had the focus is about to be disabled. */
  onButtonRemoved: () => void;
}

/** Asks for one receipt number. Whatever was copied along with it does not matter. */
export function SingleCaseForm(props: SingleCaseFormProps) {
  const { ref, given, pending, onLookUp, onInvalid, onSeveral, onButtonRemoved } = props;
  const [input, setInput] = useState('');
  const [error, setError] = useState<string>();
  const online = useOnlineOnly();
  const [pasted, setPasted] = useState<string[]>([]);
  useEffect(() => {
    if (given !== '') setInput(given.toUpperCase().slice(0, 40));
  }, [given]);

  const type = (text: string) => {
    setInput(text);
    setError(undefined);
    setPasted([]);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const receiptNumbers = receiptNumbersIn(event.clipboardData.getData('text'));
    const [first] = receiptNumbers;
    if (first === undefined) return;
    event.preventDefault();
    type(first);
    setPasted(receiptNumbers);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (online.isOffline) return;
    const receiptNumber = onlyReceiptNumberIn(input);
    if (receiptNumber === undefined) {
      setError(t`Invalid receipt number format`);
      onInvalid();
      ref.current?.focus();
      return;
    }
    if (document.activeElement instanceof HTMLButtonElement) onButtonRemoved();
    onLookUp(receiptNumber);
  };

  return (
    <form className="form-stack single-case-form" onSubmit={submit} noValidate>
      <div>
        <FormField
          ref={ref}
          label={t`Receipt Number`}
          hint={t`Format: 3 letters followed by 10 numbers (e.g., EAC9999103403)`}
          error={error}
          value={input}
          {...typedInUpperCase((text, isComposing) => type(isComposing ? text : text.trim()))}
          onPaste={paste}
          name="receiptNumber"
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
        />
        <div className="pasted-note" aria-live="polite">
          {pasted.length > 1 && (
            <>
              <span>{t`You pasted ${pasted.length} receipt numbers. This is the first one.`}</span>
              <button type="button" className="btn btn-link btn-sm" onClick={() => onSeveral(pasted)}>
                {t`Check all ${pasted.length} in Bulk Search`}
              </button>
            </>
          )}
        </div>
      </div>
      <button
        type="submit"
        className="btn btn-primary"
        disabled={pending || input.length < MIN_INPUT_LENGTH}
        {...online.props}
      >
        <Icon name="search" />
        <span>{pending ? t`Checking...` : t`Check Status`}</span>
      </button>
    </form>
  );
}
