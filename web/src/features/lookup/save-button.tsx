import { t } from '@lingui/core/macro';
import { Icon } from '../../components/icon.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { useSaveToggle } from './use-save-toggle.ts';

interface SaveButtonProps {
  receiptNumber: string;
  /** Undefined while that is not known. */
  isSaved: boolean | undefined;
  /** The id of the receipt number that it acts on, where a screen has several. */
  describedBy?: string;
  onProNeeded: (feature: string) => void;
}

/** Keeps a case in the saved list; on a saved one it removes it. It stays focusable while it works. */
export function SaveButton({ receiptNumber, isSaved, describedBy, onProNeeded }: SaveButtonProps) {
  const { isBusy, toggle } = useSaveToggle(receiptNumber, isSaved, onProNeeded);
  const online = useOnlineOnly();
  return (
    <button
      type="button"
      className={`btn btn-sm save-button ${isSaved ? 'btn-secondary' : 'btn-outline-primary'}`}
      aria-describedby={describedBy}
      aria-disabled={isBusy}
      {...online.props}
      onClick={() => !online.isOffline && toggle()}
    >
      <Icon name={isSaved ? 'check' : 'bookmark'} size={16} />
      <span>{isSaved ? t`Saved` : t`Save`}</span>
    </button>
  );
}
