import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { referenceOf } from '../api/api-error.ts';
import { SupportOfUser } from './support-link.tsx';

const SHORT_LENGTH = 8;

/**
 * Renders by what support finds a failed request: the beginning of its id, a button that copies all of it, and a link to support. Nothing
 * for what the person can put right alone.
 */
export function ErrorReference({ error }: { error: unknown }) {
  return <RequestReference reference={referenceOf(error)} />;
}

/** Renders the same for an id. */
export function RequestReference({ reference }: { reference: string | undefined }) {
  const [isCopied, setIsCopied] = useState(false);
  if (reference === undefined) return null;
  const shortReference = reference.slice(0, SHORT_LENGTH);
  const copy = async () => {
    await navigator.clipboard.writeText(reference);
    setIsCopied(true);
  };
  return (
    <span className="error-reference">
      <span>
        <Trans>
          Reference <code>{shortReference}</code>
        </Trans>
      </span>
      <button
        type="button"
        className="btn btn-link btn-sm"
        onClick={() => void copy().catch(() => undefined)}
      >
        {isCopied ? (
          <Trans>
            Copied<span className="visually-hidden"> reference</span>
          </Trans>
        ) : (
          <Trans>
            Copy<span className="visually-hidden"> reference</span>
          </Trans>
        )}
      </button>
      <SupportOfUser reference={reference} />
    </span>
  );
}
