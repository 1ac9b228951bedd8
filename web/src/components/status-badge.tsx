import { statusName } from '@casewatch/contracts/status-names';
import { languageShown } from '../lib/format-number.ts';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

interface StatusProps {
  /** As the agency writes it in English. */
  status: string;
  /** The agency's own Spanish, where it gives one. */
  statusEs?: string | null | undefined;
}

/** Renders the status of a case as a badge: colour and icon follow the words in English, and words are always shown. */
export function StatusBadge({ status, statusEs }: StatusProps) {
  const { variant, icon } = statusAppearance(status);
  return (
    <span className={`status-badge status-badge-${variant}`}>
      <Icon name={icon} size={16} />
      <StatusText status={status} statusEs={statusEs} />
    </span>
  );
}

/** Renders a status in the language of the page; marked as English where it is known in English only. */
export function StatusText({ className, ...status }: StatusProps & { className?: string }) {
  const { text, lang } = shownStatus(status);
  return (
    <span className={className} lang={lang}>
      {text}
    </span>
  );
}

/** Prefers the agency's words to the guide's translation of its title. */
export function shownStatus({ status, statusEs }: StatusProps): { text: string; lang?: 'en' } {
  const language = languageShown();
  if (language === 'en') return { text: status };
  const text = statusEs || statusName(status, language);
  return text === status ? { text, lang: 'en' } : { text };
}

/** How a case status looks: `default` is good news, `destructive` bad news, `secondary` everything else. */
interface StatusAppearance {
  variant: 'default' | 'destructive' | 'secondary';
  icon: IconName;
}

/** Judges a status by the words in it, in any case; an empty or unknown status looks neutral. */
export function statusAppearance(status: string | null | undefined): StatusAppearance {
  const words = (status ?? '').toLowerCase();
  if (words.includes('approved')) return { variant: 'default', icon: 'check-circle' };
  if (words.includes('denied') || words.includes('rejected'))
    return { variant: 'destructive', icon: 'x-circle' };
  if (words.includes('pending') || words.includes('received')) return { variant: 'secondary', icon: 'clock' };
  return { variant: 'secondary', icon: 'circle' };
}
