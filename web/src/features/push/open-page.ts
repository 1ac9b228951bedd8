import { ownPath } from '../../lib/own-path.ts';

/** What the worker asks of an open tab: to go to a page as its own links do. The tab answers on the port that comes along. */
export const OPEN_PAGE = 'casewatch-open-page';
/** A tab that runs the app answers at once; one that shows something else never does. */
const ANSWER_MS = 1_000;

/** A window of the app, as far as a click on a message needs it. */
export interface Tab {
  readonly visibilityState: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

/**
 * Opens the page that a message is about: in the app that is open already, which keeps what it holds in memory; by loading the
 * page in a tab that does not answer; else in a new window. A path that is no page of the app opens the first page.
 */
export async function openPage(
  path: unknown,
  {
    origin,
    tabs,
    openWindow,
  }: { origin: string; tabs: readonly Tab[]; openWindow: (url: string) => unknown },
): Promise<void> {
  const target = ownPath(path) ?? '/';
  const { href } = new URL(target, origin);
  const tab = tabs.find(({ visibilityState }) => visibilityState === 'visible') ?? tabs[0];
  if (!tab) return void (await openWindow(href));
  // First, since browsers allow it for a moment after the click only. A tab that they keep in the background goes there all the same.
  await tab.focus().catch(() => undefined);
  if (!(await goesThere(tab, target))) await tab.navigate(href);
}

/** Resolves to whether the app in the tab has taken it over. */
function goesThere(tab: Tab, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), ANSWER_MS);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    tab.postMessage({ type: OPEN_PAGE, path }, [port2]);
  }).finally(() => port1.close());
}
