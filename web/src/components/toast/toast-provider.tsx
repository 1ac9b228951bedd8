import { t } from '@lingui/core/macro';
import * as Toast from '@radix-ui/react-toast';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useReducer,
  useRef,
  useSyncExternalStore,
} from 'react';
import { failureText, referenceOf } from '../../api/api-error.ts';
import { followSuccesses } from '../../api/follow-successes.ts';
import { followLeaving, userIdOf } from '../../api/user-data.ts';
import { offersSupport } from '../../lib/support.ts';
import { ErrorReference } from '../error-reference.tsx';
import { Icon } from '../icon.tsx';
import { SupportOfUser } from '../support-link.tsx';
import {
  nextToasts,
  TOAST_DURATION_MS,
  TOAST_REMOVE_DELAY_MS,
  TOAST_WITH_ACTION_MS,
  type ToastMessage,
} from './toast-queue.ts';

type ShowToast = (message: ToastMessage) => void;

const HOTKEY = 'F8';

const ToastContext = createContext<ShowToast | null>(null);

/**
 * Shows short messages in a corner: one at a time, for five seconds by default, dismissed by a swipe to the
 * right, reached with F8. They go with the user whom they were shown to, and what comes later is not shown to the next one.
 * Gives `useToast` to everything inside it.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(nextToasts, []);
  const lastId = useRef(0);
  const removals = useRef(new Set<number>());
  const viewport = useRef<HTMLOListElement>(null);
  const focusedBefore = useRef<HTMLElement>(undefined);
  const client = useQueryClient();

  const userId = useSyncExternalStore(
    useCallback((onChange) => client.getQueryCache().subscribe(onChange), [client]),
    () => userIdOf(client),
  );

  const show = useCallback<ShowToast>(
    (message) => {
      const now = userIdOf(client);
      // The action was started by a user who is no longer signed in: only "Logged out" may still be shown, and to no other user.
      const isLate = userId !== undefined && userId !== now;
      if (isLate && (now !== undefined || message.action)) return;
      lastId.current += 1;
      dispatch({ type: 'show', id: lastId.current, message, atMs: Date.now() });
    },
    [client, userId],
  );

  const dismiss = (id: number) => {
    dispatch({ type: 'dismiss', id });
    const timer = window.setTimeout(() => {
      removals.current.delete(timer);
      dispatch({ type: 'remove', id });
    }, TOAST_REMOVE_DELAY_MS);
    removals.current.add(timer);
    // A closed toast leaves the focus where it was before, not in an empty corner.
    requestAnimationFrame(() => {
      if (viewport.current?.contains(document.activeElement)) focusedBefore.current?.focus();
    });
  };

  useEffect(() => followSuccesses(client, (sinceMs) => dispatch({ type: 'succeed', sinceMs })), [client]);
  useEffect(() => followLeaving(client, () => dispatch({ type: 'clear' })), [client]);

  useEffect(() => {
    const timers = removals.current;
    return () => {
      for (const timer of timers) window.clearTimeout(timer);
    };
  }, []);

  return (
    <ToastContext value={show}>
      <Toast.Provider
        label={t`Notification`}
        duration={TOAST_DURATION_MS}
        swipeDirection="right"
        swipeThreshold={50}
      >
        {children}
        {toasts.map(({ id, open, variant = 'default', durationMs, action, ...words }) => (
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
    </ToastContext>
  );
}

function ToastWords({ title, description, error, support }: ToastMessage) {
  const isHelpless = support !== undefined && !offersSupport();
  const words = isHelpless ? support.otherwise : description;
  return (
    <>
      <Toast.Title className="toast-title">{title}</Toast.Title>
      {words !== undefined && <Toast.Description>{words}</Toast.Description>}
      {support && <SupportOfUser />}
      <ErrorReference error={error} />
    </>
  );
}

/** Whether there is something to reach in the words. */
function hasMore({ error, support }: ToastMessage): boolean {
  return support !== undefined || referenceOf(error) !== undefined;
}

/** Shows a toast to the user who is signed in when this is rendered. Keeps its identity between renders. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === null) throw new Error('useToast needs a ToastProvider above it');
  return show;
}

/** Returns how to report a failure in the given words. */
export function useErrorToast() {
  const toast = useToast();
  return (error: unknown, description: string, title = t`Error`) =>
    toast({ title, description, variant: 'destructive', error });
}

/** Returns how to report a failure in the server's words, else in the given ones. */
export function useFailureToast() {
  const report = useErrorToast();
  return (error: unknown, fallback: string, title?: string) =>
    report(error, failureText(error, fallback), title);
}
