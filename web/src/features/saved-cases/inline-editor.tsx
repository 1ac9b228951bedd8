import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { type CaseChange, useChangeCase } from '../../api/saved-cases.ts';
import { Button } from '../../components/button.tsx';
import { useUpdateToast } from './use-update-toast.ts';

interface InlineEditorProps {
  receiptNumber: string;
  /** As the server has it. */
  value: string;
  label: string;
  placeholder: string;
  maxLength?: number;
  /** What is wrong with what was typed. */
  problemOf?: (draft: string) => string | undefined;
  /** What to change; undefined when nothing is different. */
  changeOf: (draft: string) => CaseChange | undefined;
  onClose: () => void;
}

/** Edits a text of a saved case in its place: Enter saves, Escape cancels. What was typed stays when saving fails. */
export function InlineEditor({
  receiptNumber,
  value,
  label,
  placeholder,
  maxLength,
  problemOf,
  changeOf,
  onClose,
}: InlineEditorProps) {
  const id = useId();
  const [opened] = useState(value);
  const [draft, setDraft] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const change = useChangeCase(receiptNumber);
  const told = useUpdateToast();
  useEffect(() => input.current?.select(), []);
  const problem = problemOf?.(draft);
  const isWrong = problem !== undefined;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || isWrong) return;
    const wanted = changeOf(draft);
    if (wanted === undefined) return onClose();
    try {
      await change.mutateAsync(wanted);
    } catch (error) {
      return told.failed(error, receiptNumber);
    }
    told.updated();
    onClose();
  };

  return (
    <form className="nickname-editor" onSubmit={save}>
      <input
        ref={input}
        className={`form-control ${isWrong ? 'is-invalid' : ''}`}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        placeholder={placeholder}
        aria-label={label}
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={isWrong ? id : undefined}
        maxLength={maxLength}
        readOnly={change.isPending}
        autoComplete="off"
      />
      <button type="submit" className="btn btn-primary btn-sm" aria-disabled={change.isPending || isWrong}>
        <Trans>Save</Trans>
      </button>
      <Button onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
      {isWrong && (
        <p className="field-error" id={id}>
          {problem}
        </p>
      )}
      <p className="changed-elsewhere" role="status">
        {value !== opened &&
          (value === ''
            ? t`Cleared in another tab or on another device. Saving will overwrite it.`
            : t`Changed in another tab or on another device to “${value}”. Saving will overwrite it.`)}
      </p>
    </form>
  );
}
