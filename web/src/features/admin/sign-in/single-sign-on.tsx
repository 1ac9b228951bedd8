import { type OpenedAdminArea, openedAdminArea } from '@casewatch/contracts/admin-session';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { useBeginSingleSignOn } from '../../../api/admin-session.ts';
import { useFailureToast, useToast } from '../../../components/toast/toast-provider.tsx';
import { openSite } from '../../../lib/open-site.ts';
import { ownPath } from '../../../lib/own-path.ts';

export const SINGLE_SIGN_ON_PATH = '/admin/single-sign-on';
const STORAGE_KEY = 'admin-single-sign-on';
const CHANNEL = 'admin-area-opened';

interface SingleSignOnProps {
  /** The provider's name. */
  label: string;
  /**
   * Given where the area lies beneath and must stay as it is: the provider is opened in a tab of its own, which reports
   * here. Without it this page itself goes to the provider and comes back as another.
   */
  onReopen?: ((opened: OpenedAdminArea) => void) | undefined;
}

/** Renders the button that leads to the provider. */
export function SingleSignOn({ label, onReopen }: SingleSignOnProps) {
  const { isPending, start } = useSingleSignOn(onReopen !== undefined);
  useEffect(() => {
    if (!onReopen || typeof BroadcastChannel === 'undefined') return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => onReopen(openedAdminArea.parse(data));
    return () => channel.close();
  }, [onReopen]);
  return (
    <>
      <button
        type="button"
        className="btn btn-primary btn-lg w-100"
        disabled={isPending}
        onClick={() => void start()}
      >
        {isPending ? 'Connecting...' : `Sign in with ${label}`}
      </button>
      <p className="admin-or">or</p>
    </>
  );
}

/** Goes to the provider; the view that is open now is shown again afterwards. */
export function useSingleSignOn(isReopening: boolean) {
  const { mutateAsync, isPending } = useBeginSingleSignOn();
  const toast = useToast();
  const fail = useFailureToast();
  const { search } = useLocation();
  const start = async (returnTo = search) => {
    // Within the click: browsers block tabs that open later.
    const tab = isReopening ? window.open('', '_blank') : window;
    if (!tab) {
      toast({
        title: 'Allow pop-ups',
        description:
          'Your browser blocked the tab for the sign-in. Allow pop-ups for this site and try again.',
        variant: 'destructive',
      });
      return;
    }
    try {
      const { url } = await mutateAsync();
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ search: returnTo, isReopening }));
      openSite(url, tab);
    } catch (error) {
      if (isReopening) tab.close();
      fail(error, 'Check your connection and try again.', 'Failed to authenticate');
    }
  };
  return { isPending, start };
}

const departure = z.object({ search: z.string(), isReopening: z.boolean() });

/** Returns what the page kept that went to the provider: the view it had, and whether another tab waits for the outcome. */
export function readDeparture(): z.output<typeof departure> {
  const kept = localStorage.getItem(STORAGE_KEY);
  const parsed = departure.safeParse(kept === null ? undefined : parseJson(kept));
  return parsed.success ? parsed.data : { search: '', isReopening: false };
}

/** Returns the admin area with a view by its query; without one that leads out of it. */
export const adminPath = (search: string) => ownPath(`/admin${search}`) ?? '/admin';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Opens the area in the tab that waits for it. */
export function reportReopened(opened: OpenedAdminArea): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(opened);
  channel.close();
}
