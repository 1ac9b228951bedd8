import type { SavedCase } from '@casewatch/contracts/cases';
import { TAG_MAX_LENGTH, TAGS_MAX } from '@casewatch/contracts/limits';
import { distinctTags } from '@casewatch/contracts/tag-spelling';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { InlineEditor } from './inline-editor.tsx';
import { TagList } from './tag-list.tsx';

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

/** Renders the editor of a case's tags alone. */
export function TagEditor({ savedCase, onClose }: { savedCase: SavedCase; onClose: () => void }) {
  const { tags, receiptNumber } = savedCase;
  return (
    <InlineEditor
      receiptNumber={receiptNumber}
      value={tags.join(', ')}
      label={t`Tags of ${receiptNumber}, separated by commas`}
      placeholder={t`Tags, separated by commas`}
      problemOf={(draft) => problemOf(tagsIn(draft))}
      changeOf={(draft) => (tagsIn(draft).join() === tags.join() ? undefined : { tags: tagsIn(draft) })}
      onClose={onClose}
    />
  );
}

const tagsIn = (draft: string) => distinctTags(draft.split(','));

function problemOf(tags: readonly string[]): string | undefined {
  if (tags.length > TAGS_MAX) return t`A case can have at most ${TAGS_MAX} tags.`;
  if (tags.some((tag) => [...tag].length > TAG_MAX_LENGTH))
    return t`A tag must be at most ${TAG_MAX_LENGTH} characters.`;
  return undefined;
}
