import type { IconName } from './icon.tsx';

/** How a case status looks: `default` is good news, `destructive` bad news, `secondary` everything else. */
export interface StatusAppearance {
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
