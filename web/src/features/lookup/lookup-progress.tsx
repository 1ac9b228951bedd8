import './lookup.scss';
import './case-card.scss';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';

/** From here on a wait is worth an explanation. */
const SLOW_MS = 4_000;

interface LookupProgressProps {
  /** What is being looked up: a receipt number, or how many cases. */
  what: string;
  /** Offers to give the lookup up. */
  onCancel?: () => void;
}

/** Says what is in progress while the agency is asked, and keeps the place of the answer. */
export function LookupProgress({ what, onCancel }: LookupProgressProps) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <>
      <div className="lookup-progress">
        <p>
          <Trans>Checking {what} with the agency...</Trans>{' '}
          {isSlow && t`This is taking longer than usual. The agency may be busy.`}
        </p>
        {onCancel && (
          <Button onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
      </div>
      <CaseCardPlaceholder />
    </>
  );
}

/** Holds the place of a case card while it is on its way, so that nothing jumps when it comes. */
function CaseCardPlaceholder() {
  return (
    <div className="card case-card case-card-placeholder" aria-hidden="true">
      <span className="placeholder-line" />
      <span className="placeholder-line" />
      <span className="placeholder-block" />
      <span className="placeholder-block" />
    </div>
  );
}
