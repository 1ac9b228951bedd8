import type { SavedCase } from '@casewatch/contracts/cases';
import { NICKNAME_MAX_LENGTH } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useChangeCase } from '../../api/saved-cases.ts';
import { Button } from '../../components/button.tsx';
import { ChangedElsewhere } from './changed-elsewhere.tsx';
import { useUpdateToast } from './use-update-toast.ts';

interface NicknameEditorProps {
  savedCase: SavedCase;
  onClose: () => void;
}

/** Edits a nickname: Enter saves, Escape cancels; an empty text removes the nickname. What was typed stays when saving fails. */
export function NicknameEditor({ savedCase: { receiptNumber, nickname }, onClose }: NicknameEditorProps) {
  const [draft, setDraft] = useState(nickname ?? '');
  const input = useRef<HTMLInputElement>(null);
  const change = useChangeCase(receiptNumber);
  const told = useUpdateToast();
  useEffect(() => input.current?.select(), []);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = draft.trim() || null;
    if (change.isPending) return;
    if (wanted === nickname) return onClose();
    try {
      await change.mutateAsync({ nickname: wanted });
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
        className="form-control"
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        placeholder={t`Add a nickname...`}
        aria-label={t`Nickname of ${receiptNumber}`}
        maxLength={NICKNAME_MAX_LENGTH}
        readOnly={change.isPending}
        autoComplete="off"
      />
      <button type="submit" className="btn btn-primary btn-sm" aria-disabled={change.isPending}>
        <Trans>Save</Trans>
      </button>
      <Button onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
      <ChangedElsewhere value={nickname ?? ''} />
    </form>
  );
}
