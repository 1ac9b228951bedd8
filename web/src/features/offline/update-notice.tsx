import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import './update-notice.scss';
import { useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { registerWorker } from './register-worker.ts';

const TEXTS = 'input, textarea';

/** Offers a newer version of the app, and reloads once its user says so; what is typed and not saved is asked about. */
export function UpdateNotice() {
  const [offer, setOffer] = useState<{ use: () => void }>();
  const [isAsking, setIsAsking] = useState(false);
  const hasTyping = useRef<() => boolean>(() => false);
  useEffect(() => {
    hasTyping.current = followTyping(document);
    return registerWorker((use) => setOffer({ use }));
  }, []);
  const later = () => {
    setOffer(undefined);
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <>
      <div role="status">
        {offer && (
          <div className="update-notice">
            <p>
              <Trans>A new version is ready</Trans>
            </p>
            <button
              type="button"
              className="btn btn-primary btn-sm"
              onClick={() => (hasTyping.current() ? setIsAsking(true) : offer.use())}
            >
              <Trans>Reload</Trans>
            </button>
            <button type="button" className="btn btn-link btn-sm" onClick={later}>
              <Trans>Later</Trans>
            </button>
          </div>
        )}
      </div>
      <ConfirmDialog
        show={isAsking}
        title={t`Reload and lose what you typed?`}
        confirmLabel={t`Reload`}
        destructive
        onHide={() => setIsAsking(false)}
        onConfirm={() => offer?.use()}
      >
        <p>
          <Trans>You have unsaved changes on this page.</Trans>
        </p>
      </ConfirmDialog>
    </>
  );
}

/**
 * Follows what is typed into the page; the function that it returns says whether any of that is still in a field and was not
 * submitted. Choices and searches that filter as one types are not counted: they are kept elsewhere or made again at once.
 */
function followTyping(page: Document): () => boolean {
  const typedInto = new Set<HTMLInputElement | HTMLTextAreaElement>();
  page.addEventListener(
    'input',
    ({ target }) => {
      const isText =
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && !['checkbox', 'radio', 'search'].includes(target.type));
      if (isText && target.matches(TEXTS)) typedInto.add(target);
    },
    { capture: true },
  );
  page.addEventListener(
    'submit',
    ({ target }) => {
      for (const field of typedInto) if (field.form === target) typedInto.delete(field);
    },
    { capture: true },
  );
  return () => {
    for (const field of typedInto) if (!field.isConnected || field.value === '') typedInto.delete(field);
    return typedInto.size > 0;
  };
}
