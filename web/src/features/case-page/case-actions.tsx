import { Icon } from '../../components/icon.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { SaveButton } from '../lookup/save-button.tsx';

interface CaseActionsProps {
  receiptNumber: string;
  /** Undefined while that is not known. */
  isSaved: boolean | undefined;
  onProNeeded: (feature: string) => void;
}

/** What can be done with a case as a whole: save it, share its address, print it. */
export function CaseActions({ receiptNumber, isSaved, onProNeeded }: CaseActionsProps) {
  const toast = useToast();
  const url = `${window.location.origin}/cases/${receiptNumber}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      return toast({
        title: 'Error',
        description: 'The link could not be copied. Copy it from the address bar.',
        variant: 'destructive',
      });
    }
    toast({ title: 'Link copied', description: 'Anyone who opens it signs in with their own account.' });
  };

  return (
    <>
      <SaveButton receiptNumber={receiptNumber} isSaved={isSaved} onProNeeded={onProNeeded} />
      <button type="button" className="btn btn-outline-secondary btn-sm" onClick={() => void copy()}>
        <Icon name="link" size={16} />
        Copy link
      </button>
      {'share' in navigator && (
        <button
          type="button"
          className="btn btn-outline-secondary btn-sm"
          // Somebody who closes the system's panel has changed their mind.
          onClick={() => void navigator.share({ title: receiptNumber, url }).catch(() => undefined)}
        >
          <Icon name="share" size={16} />
          Share
        </button>
      )}
      <button type="button" className="btn btn-outline-secondary btn-sm" onClick={() => window.print()}>
        <Icon name="printer" size={16} />
        Print
      </button>
    </>
  );
}
