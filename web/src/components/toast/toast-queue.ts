/** At most one toast can be seen; a newer one takes the place of an older one. */
export const TOAST_LIMIT = 1;
/** How long a dismissed toast is kept before it is removed for good. */
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_DURATION_MS = 5000;
export const TOAST_WITH_ACTION_MS = 10_000;

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** What went wrong: a failure of the server is shown with its reference. */
  error?: unknown;
  /** What the agency said of it, in its own words. */
  agencyMessage?: string | undefined;
  /** The description refers to support; `otherwise` is the text where there is none. */
  support?: { otherwise: string };
  /** How long it stays, in milliseconds; 5000 unless given, 10000 with an action. It waits while it is pointed at or has the focus. */
  durationMs?: number;
  /** Something to do about it; there must be another way to it, since a toast goes by itself. */
  action?: { label: string; run: () => void };
}

export interface QueuedToast {
  /** Read when it is rendered: its texts may be getters that follow the language. */
  message: ToastMessage;
  id: number;
  shownAtMs: number;
  /** False once dismissed: hidden, but kept until it is removed. */
  open: boolean;
}

export type ToastAction =
  | { type: 'show'; id: number; message: ToastMessage; atMs: number }
  | { type: 'dismiss'; id: number }
  /** Something that was begun at `sinceMs` has succeeded: an error from before that is out of date. */
  | { type: 'succeed'; sinceMs: number }
  | { type: 'remove'; id: number }
  /** What all of them were about is over. */
  | { type: 'clear' };

/** Returns the toasts after an action, newest first, never more than `TOAST_LIMIT`. */
export function nextToasts(toasts: readonly QueuedToast[], action: ToastAction): readonly QueuedToast[] {
  switch (action.type) {
    case 'show':
      return [
        { message: action.message, id: action.id, shownAtMs: action.atMs, open: true },
        ...toasts,
      ].slice(0, TOAST_LIMIT);
    case 'dismiss':
      return toasts.map((toast) => (toast.id === action.id ? { ...toast, open: false } : toast));
    case 'succeed':
      return toasts.map((toast) =>
        toast.message.variant === 'destructive' && toast.shownAtMs < action.sinceMs
          ? { ...toast, open: false }
          : toast,
      );
    case 'remove':
      return toasts.filter((toast) => toast.id !== action.id);
    case 'clear':
      return [];
  }
}
