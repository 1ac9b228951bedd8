import { CASE_DATE_KINDS, isRealDay } from '@casewatch/contracts/case-date-kinds';
import { CASE_DATE_LABEL_MAX } from '@casewatch/contracts/limits';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { DateDraft } from '../../api/case-dates.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { DATE_KIND_NAMES } from '../../lib/case-date-words.ts';
import { serverNowMs } from '../../lib/server-clock.ts';

/** Returns a new date to be filled in. Its id is made once, so that what is sent twice is one date. */
export function newDraft(): DateDraft {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  return { id, kind: 'respond-by', day: '', label: null, done: false };
}

interface CaseDateFormProps {
  draft: DateDraft;
  isSaving: boolean;
  onSave: (wanted: DateDraft) => Promise<void>;
  onCancel: () => void;
}

/** Edits one date: Enter saves, Escape cancels. What was typed stays when saving fails. */
export function CaseDateForm({ draft, isSaving, onSave, onCancel }: CaseDateFormProps) {
  const id = useId();
  const first = useRef<HTMLSelectElement>(null);
  const [wanted, setWanted] = useState(draft);
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => first.current?.focus(), []);
  const isReal = isRealDay(wanted.day);
  const hasPassed = isReal && !wanted.done && wanted.day < today();

  const save = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (isReal && !isSaving) void onSave({ ...wanted, label: wanted.label?.trim() || null });
  };

  return (
    <form
      className="case-date-form"
      onSubmit={save}
      noValidate
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      <div className="form-field">
        <label className="form-label" htmlFor={id}>
          <Trans>What the notice says</Trans>
        </label>
        <select
          id={id}
          ref={first}
          className="form-select"
          value={wanted.kind}
          onChange={({ currentTarget: { value } }) =>
            setWanted({ ...wanted, kind: CASE_DATE_KINDS.find((kind) => kind === value) ?? wanted.kind })
          }
        >
          {CASE_DATE_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {i18n._(DATE_KIND_NAMES[kind])}
            </option>
          ))}
        </select>
      </div>
      <FormField
        label={t`Date on the notice`}
        type="date"
        value={wanted.day}
        onChange={({ currentTarget }) => setWanted({ ...wanted, day: currentTarget.value })}
        error={isAsked && !isReal ? t`Enter a date that exists, from 1900 to 2199.` : undefined}
        hint={<span role="status">{hasPassed && t`This day has passed.`}</span>}
      />
      <FormField
        label={t`Note (optional)`}
        maxLength={CASE_DATE_LABEL_MAX}
        autoComplete="off"
        value={wanted.label ?? ''}
        onChange={({ currentTarget }) => setWanted({ ...wanted, label: currentTarget.value })}
      />
      <div className="case-dates-actions">
        <button type="submit" className="btn btn-primary btn-sm" aria-disabled={isSaving}>
          <Trans>Save</Trans>
        </button>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}

/** As `2026-12-24`, where the reader is. */
function today(): string {
  const now = new Date(serverNowMs());
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}
