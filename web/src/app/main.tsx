import '../styles/app.scss';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createQueryClient } from '../api/query-client.ts';
import { preloadMe } from '../api/session.ts';
import { deviceLanguage, isInEnglishOnly, showLanguage } from '../i18n/language.ts';
import { keepZodFromEval } from '../lib/zod-without-eval.ts';
import { App } from './app.tsx';
import { isForAnyone, preloadPage } from './pages.ts';

keepZodFromEval();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root to render into');

const reactRoot = createRoot(root);
const queryClient = createQueryClient();
const { pathname } = window.location;
// What the first screen needs is loaded side by side with its texts.
if (!isForAnyone(pathname)) {
  preloadMe(queryClient);
  preloadPage(pathname);
}

// Not awaited at the top level: the bundler would cut the entry into pieces around it.
void showLanguage(isInEnglishOnly(pathname) ? 'en' : deviceLanguage()).then(
  () =>
    reactRoot.render(
      <StrictMode>
        <BrowserRouter>
          <App queryClient={queryClient} />
        </BrowserRouter>
      </StrictMode>,
    ),
  () =>
    reactRoot.render(
      <main className="message-page message-page-full">
        <h1>Casewatch</h1>
        <p>The app could not be loaded. Check your connection and reload the page.</p>
        <p lang="es">No se pudo cargar la aplicación. Revise su conexión y recargue la página.</p>
      </main>,
    ),
);
