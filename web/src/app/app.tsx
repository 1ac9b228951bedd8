import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { PageHeadingProvider } from '../components/page-heading.tsx';
import { ToastProvider } from '../components/toast/toast-provider.tsx';
import { TooltipProvider } from '../components/tooltip/tooltip.tsx';
import { TOOLTIP_DELAY_MS } from '../components/tooltip/tooltip-rules.ts';
import { followLanguage, isInEnglishOnly } from '../i18n/language.ts';
import { useFocusRescue } from '../lib/use-focus-rescue.ts';
import { useScrollPosition } from '../lib/use-scroll-position.ts';
import { AppRoutes } from './routes.tsx';

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/** Renders the whole app, over a cache of its own; needs a router around it. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  useEffect(loadTheRest, []);
  useEffect(keepTabInsideDialogs, []);
  useFocusRescue();
  useScrollPosition();
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

/** Typing and translating begin after the first screen: what they need is no part of its load. */
function loadTheRest(): () => void {
  const started = import('./after-first-screen.ts').then(
    ({ startAfterFirstScreen }) => startAfterFirstScreen(),
    // Without a connection, and not kept yet: the app works without it.
    () => undefined,
  );
  return () => void started.then((end) => end?.());
}

/**
 * Makes Tab go round inside the open dialog; returns a function that ends it. react-bootstrap brings the focus back
 * only after it has been outside, which a screen reader announces, and gives key handlers to a part of the dialog
 * that does not hold the focus when it has just opened: so one listener serves every dialog.
 */
function keepTabInsideDialogs(): () => void {
  document.addEventListener('keydown', keepTabInside);
  return () => document.removeEventListener('keydown', keepTabInside);
}

function keepTabInside(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || !(event.target instanceof Element)) return;
  const dialog = event.target.closest('[aria-modal="true"]');
  if (dialog === null) return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = stops.at(0);
  const last = stops.at(-1);
  const isFirst = event.target === first || event.target === dialog;
  if (!(event.shiftKey ? isFirst : event.target === last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
