import type { SavedCase } from '@casewatch/contracts/cases';
import { NICKNAME_MAX_LENGTH } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Icon } from '../../components/icon.tsx';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { InlineEditor } from './inline-editor.tsx';

interface NicknameFieldProps {
  savedCase: SavedCase;
  describedBy: string;
}

/** Renders the nickname of a case; a click turns it into an editor, where an empty text removes it. */
export function NicknameField({ savedCase, describedBy }: NicknameFieldProps) {
  const { nickname } = savedCase;
  const { isOpen, open, close, trigger } = useDisclosure();

  if (isOpen) return <NicknameEditor savedCase={savedCase} onClose={close} />;
  return (
    <button
      type="button"
      ref={trigger}
      className={`nickname ${nickname ? '' : 'nickname-empty'}`}
      aria-describedby={describedBy}
      onClick={open}
    >
      <span title={nickname ?? undefined}>{nickname || t`Add nickname`}</span>
      <Icon name="pencil" size={15} />
    </button>
  );
}

/** Renders the editor of a nickname alone. */
export function NicknameEditor({ savedCase, onClose }: { savedCase: SavedCase; onClose: () => void }) {
  const { nickname, receiptNumber } = savedCase;
  return (
    <InlineEditor
      receiptNumber={receiptNumber}
      value={nickname ?? ''}
      label={t`Nickname of ${receiptNumber}`}
      placeholder={t`Add a nickname...`}
      maxLength={NICKNAME_MAX_LENGTH}
      changeOf={(draft) => {
        const wanted = draft.trim() || null;
        return wanted === nickname ? undefined : { nickname: wanted };
      }}
      onClose={onClose}
    />
  );
}
