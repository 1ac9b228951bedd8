import type { SessionItem } from '@casewatch/contracts/account-recovery';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import { useEndSession, type useSessions } from '../../api/recovery.ts';
import { Button } from '../../components/button.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { formatMoment } from '../../lib/format-moment.ts';

/** Renders where the account is signed in, each with a way to sign it out. */
export function SessionList({ data: sessions, error, refetch }: ReturnType<typeof useSessions>) {
  const end = useEndSession();
  const toast = useToast();
  const fail = useFailureToast();
  const heading = useRef<HTMLHeadingElement>(null);

  const signOut = async (session: SessionItem) => {
    try {
      await end.mutateAsync(session.id);
      toast({ title: t`Logged out`, description: t`${deviceWords(session)} has been logged out.` });
    } catch (error) {
      fail(error, t`Failed to log out. Please try again.`);
    }
    // The button is removed with its device.
    heading.current?.focus();
  };

  return (
    <div className="session-list">
      <h3 ref={heading} tabIndex={-1}>
        <Trans>Where you are signed in</Trans>
      </h3>
      {error && (
        <LoadFailure error={error} onRetry={() => void refetch()} isPart>
          <p>
            <Trans>Your devices can’t be shown right now.</Trans>
          </p>
        </LoadFailure>
      )}
      <ul aria-live="polite">
        {sessions?.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{deviceWords(session)}</strong>
              {session.isCurrent && (
                <span className="session-current">
                  <Trans>This device</Trans>
                </span>
              )}
              <p>
                {`${t`Network ${session.network}`} · `}
                {t`Last used ${formatMoment(session.lastSeenAt)}`}
              </p>
            </div>
            {!session.isCurrent && (
              <Button
                aria-label={t`Log out ${deviceWords(session)}, last used ${formatMoment(session.lastSeenAt)}`}
                disabled={end.isPending}
                onClick={() => void signOut(session)}
              >
                <Trans>Log out</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns a device as the server names it, `Chrome on Android`, in the words of the app's language. */
function deviceWords({ device }: SessionItem): string {
  if (device === 'Unknown device') return t`Unknown device`;
  const [browser = device, system] = device.split(' on ');
  return system === undefined ? device : t`${browser} on ${system}`;
}
