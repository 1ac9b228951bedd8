import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { keepTabInsideDialogs } from '../components/keep-tab-inside.ts';
import { PageHeadingProvider } from '../components/page-heading.tsx';
import { ToastProvider } from '../components/toast/toast-provider.tsx';
import { TooltipProvider } from '../components/tooltip/tooltip.tsx';
import { TOOLTIP_DELAY_MS } from '../components/tooltip/tooltip-timing.ts';
import { followLanguage, isInEnglishOnly } from '../i18n/language.ts';
import { useFocusRescue } from '../lib/use-focus-rescue.ts';
import { AppRoutes } from './routes.tsx';

/** Renders the whole app, over a cache of its own; needs a router around it. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  useEffect(keepTabInsideDialogs, []);
  useFocusRescue();
  const isEnglish = isInEnglishOnly(useLocation().pathname);
  useEffect(() => (isEnglish ? undefined : followLanguage()), [isEnglish]);
  // Renders everything anew in another language: the elements below are new ones then.
  useSyncExternalStore(
    (onChange) => i18n.on('change', onChange),
    () => i18n.locale,
  );
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>
          <TooltipProvider delayMs={TOOLTIP_DELAY_MS}>
            <PageHeadingProvider>
              <AppRoutes />
            </PageHeadingProvider>
          </TooltipProvider>
        </ToastProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}
