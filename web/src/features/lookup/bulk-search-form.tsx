import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type ClipboardEvent,
  type FormEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { Icon } from '../../components/icon.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import {
  findReceiptNumbers,
  type InvalidReceipt,
  readReceiptLines,
  withoutEntry,
} from '../../lib/find-receipt-numbers.ts';
import { typedInUpperCase } from '../../lib/typed-in-upper-case.ts';
import { InvalidReceipts } from './invalid-receipts.tsx';

interface BulkSearchFormProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  /** What the address says; the box follows it. */
  given: readonly string[];
  pending: boolean;
  onLookUp: (receiptNumbers: readonly string[]) => void;
  /** The button that had the focus is about to be disabled. */
  onButtonRemoved: () => void;
}

/** Asks for several receipt numbers, one on a line; finds them in whatever is pasted. */
export function BulkSearchForm({ ref, given, pending, onLookUp, onButtonRemoved }: BulkSearchFormProps) {
  const id = useId();
  const [input, setInput] = useState('');
  const online = useOnlineOnly();
  const [note, setNote] = useState('');
  const [leftOut, setLeftOut] = useState<readonly InvalidReceipt[]>([]);
  const { receiptNumbers, invalid } = useMemo(() => readReceiptLines(input), [input]);
  const count = receiptNumbers.length + invalid.length;
  const isTooMany = count > BULK_SEARCH_MAX;
  const canSubmit = count > 0 && !isTooMany && invalid.length === 0 && !pending;
  useEffect(() => {
    if (given.length > 0) setInput(given.join('\n'));
  }, [given]);

  const type = (text: string) => {
    setInput(text);
    setNote('');
    // While one of them is typed in correctly, they can be read.
    if (text.trim() === '') setLeftOut([]);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const found = findReceiptNumbers(event.clipboardData.getData('text'));
    if (found.receiptNumbers.length === 0) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const [before, after] = [value.slice(0, selectionStart), value.slice(selectionEnd)];
    const there = new Set(readReceiptLines(`${before}\n${after}`).receiptNumbers);
    const fresh = found.receiptNumbers.filter((receiptNumber) => !there.has(receiptNumber));
    const lines = [before.trim(), ...fresh, after.trim()];
    setInput(`${lines.filter((line) => line !== '').join('\n')}\n`);
    setNote(pasteNote(fresh.length, found.duplicates + found.receiptNumbers.length - fresh.length));
    setLeftOut(found.invalid);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canSubmit || online.isOffline) return;
    if (document.activeElement instanceof HTMLButtonElement) onButtonRemoved();
    setLeftOut([]);
    onLookUp(receiptNumbers);
  };
  const remove = (entry: InvalidReceipt) => {
    type(withoutEntry(input, entry));
    ref.current?.focus();
  };

  return (
    <form className="form-stack" onSubmit={submit} noValidate>
      <div className="form-field">
        <div className="bulk-label">
          <label className="form-label" htmlFor={id}>
            <Trans>Receipt Numbers</Trans>
          </label>
          <span id={`${id}-count`} className={`bulk-count ${isTooMany ? 'bulk-count-over' : ''}`}>
            {`${count} / ${BULK_SEARCH_MAX}`}
          </span>
        </div>
        <textarea
          ref={ref}
          id={id}
          className={`form-control bulk-input ${invalid.length > 0 || isTooMany ? 'is-invalid' : ''}`}
          rows={6}
          value={input}
          {...typedInUpperCase(type)}
          onPaste={paste}
          name="receiptNumbers"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={invalid.length > 0 || isTooMany}
          aria-describedby={`${id}-hint ${id}-count ${id}-error`}
        />
        <div className="form-text" id={`${id}-hint`}>
          <Trans>
            Enter one receipt number per line, up to {BULK_SEARCH_MAX}. Or paste an email, a letter or a
            column: we find the numbers.
          </Trans>
        </div>
        <p className="pasted-note" role="status">
          {note}
        </p>
        {leftOut.length > 0 && (
          <div className="form-text">
            <Trans>Left out of what you pasted:</Trans>
          </div>
        )}
        <InvalidReceipts label={t`Left out`} invalid={leftOut} />
        <div id={`${id}-error`} className="bulk-error" aria-live="polite">
          {invalid.length > 0 && (
            <div className="field-error">
              {plural(invalid.length, {
                one: `${invalid.length} invalid receipt number(s) (format: 3 letters + 10 digits)`,
                other: `${invalid.length} invalid receipt number(s) (format: 3 letters + 10 digits)`,
              })}
            </div>
          )}
        </div>
        <InvalidReceipts label={t`Invalid entries`} invalid={invalid} onRemove={remove} />
      </div>
      <button type="submit" className="btn btn-primary" disabled={!canSubmit} {...online.props}>
        <Icon name="layers" />
        <span>{plural(count, { one: `Check ${count} Case(s)`, other: `Check ${count} Case(s)` })}</span>
      </button>
    </form>
  );
}

function pasteNote(fresh: number, doubles: number): string {
  const added = plural(fresh, {
    one: `${fresh} receipt number added.`,
    other: `${fresh} receipt numbers added.`,
  });
  if (doubles === 0) return added;
  return `${added} ${plural(doubles, { one: `${doubles} duplicate skipped.`, other: `${doubles} duplicates skipped.` })}`;
}
