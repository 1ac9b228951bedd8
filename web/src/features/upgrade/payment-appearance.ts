import type { Appearance } from '@stripe/stripe-js';
import { languageShown } from '../../lib/format-number.ts';
import type { Theme } from '../theme/theme.ts';

/** Returns the payment form in the product's dress. `token` gives the value of a design token of the theme in force. */
export function paymentAppearance(theme: Theme, token: (name: string) => string): Appearance {
  return {
    theme: theme === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: token('--cw-primary'),
      colorBackground: token('--cw-surface'),
      colorText: token('--cw-ink-strong'),
      colorTextSecondary: token('--cw-ink-soft'),
      colorTextPlaceholder: token('--cw-ink-soft'),
      colorDanger: token('--cw-danger'),
      fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
      borderRadius: '8px',
    },
    rules: {
      '.Input': { borderColor: token('--cw-line-strong'), boxShadow: 'none' },
      '.Label': { fontWeight: '600', color: token('--cw-ink') },
    },
  };
}

/** Returns the provider's name for the language of the page. */
export function paymentLocale(): 'en' | 'es-419' {
  return languageShown() === 'es' ? 'es-419' : 'en';
}

/** Reads design tokens off the page as it is now. */
export function tokenOfPage(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
