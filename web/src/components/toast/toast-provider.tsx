import * as Toast from '@radix-ui/react-toast';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useReducer, useRef } from 'react';
import { followSuccesses } from '../../api/follow-successes.ts';
import { Icon } from '../icon.tsx';
import {
  nextToasts,
  TOAST_DURATION_MS,
  TOAST_REMOVE_DELAY_MS,
  TOAST_WITH_ACTION_MS,
  type ToastMessage,
} from './toast-queue.ts';

type ShowToast = (message: ToastMessage) => void;

const ToastContext = createContext<ShowToast | null>(null);

/**
 * Shows short messages in a corner: one at a time, for five seconds by default, dismissed by a swipe to the
 * right, reached with F8. Gives `useToast` to everything inside it.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(nextToasts, []);
  const lastId = useRef(0);
  const removals = useRef(new Set<number>());
  const viewport = useRef<HTMLOListElement>(null);
  const focusedBefore = useRef<HTMLElement>(undefined);
  const client = useQueryClient();

  const show = useCallback<ShowToast>((message) => {
    lastId.current += 1;
    dispatch({ type: 'show', id: lastId.current, message, atMs: Date.now() });
  }, []);

  const dismiss = (id: number) => {
    dispatch({ type: 'dismiss', id });
    const timer = window.setTimeout(() => {
      removals.current.delete(timer);
      dispatch({ type: 'remove', id });
    }, TOAST_REMOVE_DELAY_MS);
    removals.current.add(timer);
    // A toast that is gone leaves the focus where it was before, not in an empty corner.
    requestAnimationFrame(() => {
      if (viewport.current?.contains(document.activeElement)) focusedBefore.current?.focus();
    });
  };

  useEffect(() => followSuccesses(client, (sinceMs) => dispatch({ type: 'succeed', sinceMs })), [client]);

  useEffect(() => {
    const timers = removals.current;
    return () => {
      for (const timer of timers) window.clearTimeout(timer);
    };
  }, []);

  return (
    <ToastContext value={show}>
      <Toast.Provider duration={TOAST_DURATION_MS} swipeDirection="right" swipeThreshold={50}>
        {children}
        {toasts.map(({ id, open, title, description, variant = 'default', durationMs, action }) => (
          <Toast.Root
            key={id}
            className={`toast-card toast-card-${variant}`}
            open={open}
            onOpenChange={(isOpen) => !isOpen && dismiss(id)}
            duration={durationMs ?? (action ? TOAST_WITH_ACTION_MS : TOAST_DURATION_MS)}
          >
            <div className="toast-words">
              <Toast.Title className="toast-title">{title}</Toast.Title>
              {description !== undefined && <Toast.Description>{description}</Toast.Description>}
            </div>
            {action && (
              <Toast.Action
                className="btn btn-outline-secondary btn-sm"
                altText={`${action.label}: press F8 to reach it`}
                onClick={action.run}
              >
                {action.label}
              </Toast.Action>
            )}
            <Toast.Close className="icon-button" aria-label="Close">
              <Icon name="x" size={16} />
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport
          ref={viewport}
          className="toast-viewport"
          hotkey={['F8']}
          onFocus={({ currentTarget, relatedTarget }) => {
            if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
              focusedBefore.current = relatedTarget;
          }}
        />
      </Toast.Provider>
    </ToastContext>
  );
}

/** Shows a toast. Keeps its identity between renders. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === null) throw new Error('useToast needs a ToastProvider above it');
  return show;
}
