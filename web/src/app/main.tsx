import '../styles/app.scss';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createQueryClient } from '../api/query-client.ts';
import { deviceLanguage, showLanguage } from '../i18n/language.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root to render into');

const reactRoot = createRoot(root);
// Not awaited at the top level: the bundler would cut the entry into pieces around it.
void showLanguage(deviceLanguage()).then(() =>
  reactRoot.render(
    <StrictMode>
      <BrowserRouter>
        <App queryClient={createQueryClient()} />
      </BrowserRouter>
    </StrictMode>,
  ),
);
