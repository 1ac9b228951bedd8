import '../styles/app.scss';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/query-client.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root to render into');

createRoot(root).render(
  <StrictMode>
    <App queryClient={createQueryClient()} />
  </StrictMode>,
);
