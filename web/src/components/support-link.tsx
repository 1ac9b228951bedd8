import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { knownSubscription } from '../api/billing.ts';
import { meQueryKey } from '../api/user-data.ts';
import { type SupportMatter, supportHref } from '../lib/support.ts';

/** Renders a link to support that says what it is about; nothing where this installation has no support. */
export function SupportLink({ children, ...matter }: SupportMatter & { children: ReactNode }) {
  const href = supportHref(matter);
  if (href === undefined) return null;
  const isPage = !href.startsWith('mailto:');
  return (
    <a
      className="support-link"
      href={href}
      {...(isPage ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {children}
    </a>
  );
}

/** Renders the same for the user who is signed in, with the id of the subscription unless there is a better reference. Asks the server nothing. */
export function SupportOfUser({
  reference,
  children = t`Contact support`,
}: {
  reference?: string;
  children?: ReactNode;
}) {
  const client = useQueryClient();
  const isPro = client.getQueryData<User | null>(meQueryKey)?.tier === 'pro';
  return (
    <SupportLink reference={reference ?? knownSubscription(client)?.id} isPro={isPro}>
      {children}
    </SupportLink>
  );
}
