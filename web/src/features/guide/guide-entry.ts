import './guide-page.scss';
import '../../components/needs-action.scss';
import { runGuide } from './run-guide.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
void start(root);

async function start(root: HTMLElement): Promise<void> {
  // The build fills the page in; the development server leaves it empty.
  if (import.meta.env.DEV) {
    const { renderGuide } = await import('./guide-page.tsx');
    const { html, liveTexts } = renderGuide('en');
    root.innerHTML = html;
    root.dataset.texts = JSON.stringify(liveTexts);
  }
  runGuide(root);
}
