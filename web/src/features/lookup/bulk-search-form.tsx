import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import { type FormEvent, useId, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { receiptLines } from '../../lib/receipt-lines.ts';
import { upperCaseInPlace } from '../../lib/upper-case-in-place.ts';

interface BulkSearchFormProps {
  pending: boolean;
  onLookUp: (receiptNumbers: string[]) => void;
}

/** Asks for several receipt numbers, one on a line. */
export function BulkSearchForm({ pending, onLookUp }: BulkSearchFormProps) {
  const id = useId();
  const [input, setInput] = useState('');
  const { receiptNumbers, invalidCount } = receiptLines(input);
  const count = receiptNumbers.length;
  const isTooMany = count > BULK_SEARCH_MAX;
  const canSubmit = count > 0 && !isTooMany && invalidCount === 0 && !pending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSubmit) onLookUp(receiptNumbers);
  };

  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <div className="form-field">
        <div className="bulk-label">
          <label className="form-label" htmlFor={id}>
            Receipt Numbers
          </label>
          <span id={`${id}-count`} className={`bulk-count ${isTooMany ? 'bulk-count-over' : ''}`}>
            {count} / {BULK_SEARCH_MAX}
          </span>
        </div>
        <textarea
          id={id}
          className={`form-control bulk-input ${invalidCount > 0 || isTooMany ? 'is-invalid' : ''}`}
          rows={6}
          value={input}
          onChange={({ currentTarget }) => setInput(upperCaseInPlace(currentTarget))}
          name="receiptNumbers"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={invalidCount > 0 || isTooMany}
          aria-describedby={`${id}-hint ${id}-count ${id}-error`}
        />
        <div className="form-text" id={`${id}-hint`}>
          Enter one receipt number per line, up to {BULK_SEARCH_MAX}.
        </div>
        <div id={`${id}-error`} className="bulk-error" aria-live="polite">
          {invalidCount > 0 && (
            <div className="field-error">
              {invalidCount} invalid receipt number(s) (format: 3 letters + 10 digits)
            </div>
          )}
        </div>
      </div>
      <button type="submit" className="btn btn-primary" disabled={!canSubmit}>
        <Icon name="layers" />
        Check {count} Case(s)
      </button>
    </form>
  );
}
