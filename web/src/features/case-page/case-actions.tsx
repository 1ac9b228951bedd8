import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { SaveButton } from '../lookup/save-button.tsx';

interface CaseActionsProps {
  receiptNumber: string;
  /** Undefined while that is not known. */
  isSaved: boolean | undefined;
  onProNeeded: (feature: string) => void;
}

/** Renders what can be done with a case as a whole: save it, share its address, print it. */
export function CaseActions({ receiptNumber, isSaved, onProNeeded }: CaseActionsProps) {
  const toast = useToast();
  const report = useErrorToast();
  const url = `${window.location.origin}/cases/${receiptNumber}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
    } catch (error) {
      return report(error, t`The link could not be copied. Copy it from the address bar.`);
    }
    toast({
      title: t`Link copied`,
      description: t`Anyone who opens the link needs an account.`,
    });
  };

  return (
    <>
      <SaveButton receiptNumber={receiptNumber} isSaved={isSaved} onProNeeded={onProNeeded} />
      <Button onClick={() => void copy()}>
        <Icon name="link" size={16} />
        <Trans>Copy link</Trans>
      </Button>
      {'share' in navigator && (
        <Button
          // Somebody who closes the system's panel has changed their mind.
          onClick={() => void navigator.share({ title: receiptNumber, url }).catch(() => undefined)}
        >
          <Icon name="share" size={16} />
          <Trans>Share</Trans>
        </Button>
      )}
      <Button onClick={() => window.print()}>
        <Icon name="printer" size={16} />
        <Trans>Print</Trans>
      </Button>
    </>
  );
}
