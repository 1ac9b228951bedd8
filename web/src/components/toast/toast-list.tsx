import { t } from '@lingui/core/macro';
import * as Toast from '@radix-ui/react-toast';
import { useRef } from 'react';
import { referenceOf } from '../../api/api-error.ts';
import { offersSupport } from '../../lib/support.ts';
import { usePageClass } from '../../lib/use-page-class.ts';
import { AgencyMessage } from '../agency-message.tsx';
import { ErrorReference } from '../error-reference.tsx';
import { Icon } from '../icon.tsx';
import { SupportOfUser } from '../support-link.tsx';
import {
  type QueuedToast,
  TOAST_DURATION_MS,
  TOAST_WITH_ACTION_MS,
  type ToastMessage,
} from './toast-queue.ts';

const HOTKEY = 'F8';

/** Shows toasts in a corner, dismissed by a swipe to the right, reached with F8. */
export function ToastList({
  toasts,
  onDismiss,
}: {
  toasts: readonly QueuedToast[];
  onDismiss: (id: number) => void;
}) {
  const viewport = useRef<HTMLOListElement>(null);
  const focusedBefore = useRef<HTMLElement>(undefined);
  usePageClass(
    'with-toast',
    toasts.some(({ open }) => open),
  );

  const dismiss = (id: number) => {
    onDismiss(id);
    // A closed toast leaves the focus where it was before, not in an empty corner.
    requestAnimationFrame(() => {
      if (viewport.current?.contains(document.activeElement))
        focusedBefore.current?.focus({ preventScroll: true });
    });
  };

  return (
    <Toast.Provider
      label={t`Notification`}
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={50}
    >
      {toasts.map(({ id, open, message: { variant = 'default', durationMs, action, ...words } }) => (
        <Toast.Root
          key={id}
          className={`toast-card toast-card-${variant}`}
          open={open}
          onOpenChange={(isOpen) => !isOpen && dismiss(id)}
          duration={durationMs ?? (action || hasMore(words) ? TOAST_WITH_ACTION_MS : TOAST_DURATION_MS)}
        >
          <div className="toast-words">
            <ToastWords {...words} />
          </div>
          {action && (
            <Toast.Action
              className="btn btn-outline-secondary btn-sm"
              altText={t`${action.label}: press F8 to reach it`}
              onClick={action.run}
            >
              {action.label}
            </Toast.Action>
          )}
          <Toast.Close className="icon-button" aria-label={t`Close`}>
            <Icon name="x" size={16} />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport
        ref={viewport}
        className="toast-viewport"
        hotkey={[HOTKEY]}
        label={t`Notifications (${HOTKEY})`}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
            focusedBefore.current = relatedTarget;
        }}
      />
    </Toast.Provider>
  );
}

function ToastWords({ title, description, error, agencyMessage, support }: ToastMessage) {
  const isHelpless = support !== undefined && !offersSupport();
  const words = isHelpless ? support.otherwise : description;
  return (
    <>
      <Toast.Title className="toast-title">{title}</Toast.Title>
      {words !== undefined && <Toast.Description>{words}</Toast.Description>}
      <AgencyMessage words={agencyMessage} />
      {support && <SupportOfUser />}
      <ErrorReference error={error} />
    </>
  );
}

/** Whether there is something to reach in the words, or more of them to read. */
function hasMore({ error, agencyMessage, support }: ToastMessage): boolean {
  return support !== undefined || agencyMessage !== undefined || referenceOf(error) !== undefined;
}
