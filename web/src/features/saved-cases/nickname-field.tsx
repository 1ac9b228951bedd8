import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Icon } from '../../components/icon.tsx';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { NicknameEditor } from './nickname-editor.tsx';

interface NicknameFieldProps {
  savedCase: SavedCase;
  describedBy: string;
}

/** Renders the nickname of a case; a click turns it into an editor. */
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
      <span>{nickname || t`Add nickname`}</span>
      <Icon name="pencil" size={15} />
    </button>
  );
}
