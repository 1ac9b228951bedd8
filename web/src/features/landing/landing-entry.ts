import '../../styles/landing.scss';
import './landing-page.scss';
import './example-case.scss';
import './pricing.scss';
import { bringToLife } from './bring-to-life.ts';
import { leaveWhenSignedIn } from './leave-when-signed-in.ts';

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
