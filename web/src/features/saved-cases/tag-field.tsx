import type { SavedCase } from '@casewatch/contracts/cases';
import { TAG_MAX_LENGTH, TAGS_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useChangeCase } from '../../api/saved-cases.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { distinctTags } from '../../lib/distinct-tags.ts';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { ChangedElsewhere } from './changed-elsewhere.tsx';
import { TagList } from './tag-list.tsx';
import { useUpdateToast } from './use-update-toast.ts';

/** Renders the tags of a case; a click turns them into an editor. */
export function TagField({ savedCase }: { savedCase: SavedCase }) {
  const { isOpen, open, close, trigger } = useDisclosure();
  const { tags, receiptNumber } = savedCase;
  const online = useOnlineOnly();
  if (isOpen) return <TagEditor savedCase={savedCase} onClose={close} />;
  return (
    <div className="tag-field">
      <TagList tags={tags} />
      <button
        type="button"
        ref={trigger}
        className="tag-edit"
        {...online.props}
        onClick={() => !online.isOffline && open()}
      >
        <Icon name={tags.length === 0 ? 'plus' : 'pencil'} size={14} />
        {tags.length === 0 ? (
          <Trans>
            Add tags<span className="visually-hidden"> of {receiptNumber}</span>
          </Trans>
        ) : (
          <Trans>
            Edit tags<span className="visually-hidden"> of {receiptNumber}</span>
          </Trans>
        )}
      </button>
    </div>
  );
}

/** Tags are separated by commas. Enter saves, Escape cancels; what was typed stays when saving fails. */
function TagEditor({
  savedCase: { receiptNumber, tags },
  onClose,
}: {
  savedCase: SavedCase;
  onClose: () => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState(tags.join(', '));
  const input = useRef<HTMLInputElement>(null);
  const change = useChangeCase(receiptNumber);
  const told = useUpdateToast();
  useEffect(() => input.current?.select(), []);
  const wanted = distinctTags(draft.split(','));
  const problem = problemOf(wanted);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || problem !== undefined) return;
    if (wanted.join() === tags.join()) return onClose();
    try {
      await change.mutateAsync({ tags: wanted });
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
        className={`form-control ${problem === undefined ? '' : 'is-invalid'}`}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        placeholder={t`Tags, separated by commas`}
        aria-label={t`Tags of ${receiptNumber}, separated by commas`}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : id}
        readOnly={change.isPending}
        autoComplete="off"
      />
      <button
        type="submit"
        className="btn btn-primary btn-sm"
        aria-disabled={change.isPending || problem !== undefined}
      >
        <Trans>Save</Trans>
      </button>
      <Button onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
      {problem !== undefined && (
        <p className="field-error" id={id}>
          {problem}
        </p>
      )}
      <ChangedElsewhere value={tags.join(', ')} />
    </form>
  );
}

function problemOf(tags: readonly string[]): string | undefined {
  if (tags.length > TAGS_MAX) return t`A case can have at most ${TAGS_MAX} tags.`;
  if (tags.some((tag) => [...tag].length > TAG_MAX_LENGTH))
    return t`A tag must be at most ${TAG_MAX_LENGTH} characters.`;
  return undefined;
}
