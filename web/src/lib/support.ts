import { t } from '@lingui/core/macro';
import { isWebAddress, parseUrl } from './web-address.ts';

/** What support needs to find the matter at once. */
export interface SupportMatter {
  /** A request id or a subscription id. */
  reference?: string | null | undefined;
  /** Pro users come first. */
  isPro?: boolean;
}

/** Returns whether this installation names a contact for support; the server writes it into the page. */
export function offersSupport(): boolean {
  return document.documentElement.dataset.support !== undefined;
}

/** Returns where a person gets support, with what support needs to know; undefined where there is none. */
export function supportHref({ reference, isPro = false }: SupportMatter = {}): string | undefined {
  const { supportEmail, supportUrl } = document.documentElement.dataset;
  if (supportEmail) {
    const subject = [
      isPro ? t`[Priority] Casewatch support` : t`Casewatch support`,
      reference && `(${reference})`,
    ];
    const about = reference ? `${t`Reference: ${reference}`}\n` : '';
    const body = `\n\n${about}${isPro ? t`Plan: Pro (priority)` : t`Plan: Free`}\n`;
    const query = `subject=${encodeURIComponent(subject.filter(Boolean).join(' '))}&body=${encodeURIComponent(body)}`;
    return `mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?${query}`;
  }
  const url = parseUrl(supportUrl ?? '');
  if (!url || !isWebAddress(url.href)) return undefined;
  if (reference) url.searchParams.set('reference', reference);
  if (isPro) url.searchParams.set('priority', 'pro');
  return url.href;
}
