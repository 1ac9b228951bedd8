import '../../styles/landing.scss';
import './landing-page.scss';
import './example-case.scss';
import './pricing.scss';
import { SESSION_CHANNEL } from '../../config/product.ts';
import { bringToLife } from './bring-to-life.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
void start(root);

async function start(root: HTMLElement): Promise<void> {
  // The build fills the page in; the development server leaves it empty.
  if (import.meta.env.DEV) {
    const { renderLanding } = await import('./render-landing.tsx');
    const { html, liveTexts } = renderLanding('en');
    root.innerHTML = html;
    root.dataset.texts = JSON.stringify(liveTexts);
  }
  bringToLife(root);
  leaveWhenSignedIn();
}

/**
 * Loads the page anew, and with it the app, when someone signs in in another tab, or when the browser brings the
 * page back from its memory: it can't know what has happened since.
 */
function leaveWhenSignedIn(): void {
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) window.location.reload();
  });
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.onmessage = (event: MessageEvent<{ userId: string | null }>) => {
    if (event.data.userId !== null) window.location.reload();
  };
}
