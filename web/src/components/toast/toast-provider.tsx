import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { failureText } from '../../api/api-error.ts';
import { followSuccesses } from '../../api/follow-successes.ts';
import { followLeaving, followUser, userIdOf } from '../../api/user-data.ts';
import type { ToastList } from './toast-list.tsx';
import { nextToasts, TOAST_REMOVE_DELAY_MS, type ToastMessage } from './toast-queue.ts';

type ShowToast = (message: ToastMessage) => void;

const ToastContext = createContext<ShowToast | null>(null);

/**
 * Shows short messages in a corner: one at a time, for five seconds by default. They go with the user whom they were shown to,
 * and what comes later is not shown to the next one. Gives `useToast` to everything inside it. The list of them is loaded after
 * the page; a list that could not be loaded is loaded again for the next toast.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(nextToasts, []);
  const lastId = useRef(0);
  const removals = useRef(new Set<number>());
  const [List, setList] = useState<typeof ToastList>();
  const client = useQueryClient();

  const loadList = useCallback(() => {
    import('./toast-list.tsx').then(
      (loaded) => setList(() => loaded.ToastList),
      () => undefined,
    );
  }, []);

  const userId = useSyncExternalStore(
    useCallback((onChange) => followUser(client, onChange), [client]),
    () => userIdOf(client),
  );

  const show = useCallback<ShowToast>(
    (message) => {
      const now = userIdOf(client);
      // The action was started by a user who is no longer signed in: only "Logged out" may still be shown, and to no other user.
      const isLate = userId !== undefined && userId !== now;
      if (isLate && (now !== undefined || message.action)) return;
      loadList();
      lastId.current += 1;
      dispatch({ type: 'show', id: lastId.current, message, atMs: Date.now() });
    },
    [client, loadList, userId],
  );

  const dismiss = (id: number) => {
    dispatch({ type: 'dismiss', id });
    const timer = window.setTimeout(() => {
      removals.current.delete(timer);
      dispatch({ type: 'remove', id });
    }, TOAST_REMOVE_DELAY_MS);
    removals.current.add(timer);
  };

  useEffect(loadList, [loadList]);
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
      {children}
      {List && <List toasts={toasts} onDismiss={dismiss} />}
    </ToastContext>
  );
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
