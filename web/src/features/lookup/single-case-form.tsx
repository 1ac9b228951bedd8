import {
  INVALID_RECEIPT_NUMBER,
  isReceiptNumber,
  normaliseReceiptNumber,
} from '@casewatch/contracts/receipt-number';
import { type FormEvent, useRef, useState } from 'react';
import { FormField } from '../../components/form-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { upperCaseInPlace } from '../../lib/upper-case-in-place.ts';

/** From this many characters on a look-up can be asked for. */
const MIN_INPUT_LENGTH = 5;

interface SingleCaseFormProps {
  /** What the field holds at first. */
  initial: string;
  pending: boolean;
  onLookUp: (receiptNumber: string) => void;
}

/** Asks for one receipt number. Spaces and hyphens that were copied along do not matter. */
export function SingleCaseForm({ initial, pending, onLookUp }: SingleCaseFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [input, setInput] = useState(() => initial.trim().toUpperCase());
  const [error, setError] = useState<string>();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const receiptNumber = normaliseReceiptNumber(input);
    if (!isReceiptNumber(receiptNumber)) {
      setError(INVALID_RECEIPT_NUMBER);
      field.current?.focus();
      return;
    }
    onLookUp(receiptNumber);
  };

  return (
    <form className="form-stack single-case-form" onSubmit={submit} noValidate>
      <FormField
        ref={field}
        label="Receipt Number"
        hint="Format: 3 letters followed by 10 numbers (e.g., EAC9999103403)"
        error={error}
        value={input}
        onChange={({ currentTarget }) => {
          setInput(upperCaseInPlace(currentTarget).trim());
          setError(undefined);
        }}
        name="receiptNumber"
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
      />
      <button type="submit" className="btn btn-primary" disabled={pending || input.length < MIN_INPUT_LENGTH}>
        <Icon name="search" />
        {pending ? 'Checking...' : 'Check Status'}
      </button>
    </form>
  );
}
