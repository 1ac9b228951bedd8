import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter } from 'react-router-dom';
import { PageHeadingProvider } from '../components/page-heading.tsx';
import { ToastProvider } from '../components/toast/toast-provider.tsx';
import { TooltipProvider } from '../components/tooltip/tooltip.tsx';
import { TOOLTIP_DELAY_MS } from '../components/tooltip/tooltip-timing.ts';
import { AppRoutes } from './routes.tsx';

/** The whole app, over a cache of its own. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <ToastProvider>
          <TooltipProvider delayMs={TOOLTIP_DELAY_MS}>
            <PageHeadingProvider>
              <AppRoutes />
            </PageHeadingProvider>
          </TooltipProvider>
        </ToastProvider>
      </BrowserRouter>
    </QueryClientProvider>
  );
}
