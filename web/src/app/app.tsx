import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepTabInsideDialogs } from '../components/keep-tab-inside.ts';
import { PageHeadingProvider } from '../components/page-heading.tsx';
import { ToastProvider } from '../components/toast/toast-provider.tsx';
import { TooltipProvider } from '../components/tooltip/tooltip.tsx';
import { TOOLTIP_DELAY_MS } from '../components/tooltip/tooltip-timing.ts';
import { AppRoutes } from './routes.tsx';

/** The whole app, over a cache of its own; needs a router around it. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  useEffect(keepTabInsideDialogs, []);
  return (
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <TooltipProvider delayMs={TOOLTIP_DELAY_MS}>
          <PageHeadingProvider>
            <AppRoutes />
          </PageHeadingProvider>
        </TooltipProvider>
      </ToastProvider>
    </QueryClientProvider>
  );
}
