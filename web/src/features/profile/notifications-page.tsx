import './notification-choices.scss';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useNotificationSettings } from '../../api/notification-preferences.ts';
import { useMe } from '../../api/session.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import { ProfileFrame } from './profile-frame.tsx';

const PushCard = lazy(async () => ({ default: (await import('../push/push-card.tsx')).PushCard }));

/** Renders what the signed-in user is notified of, where and when, and the devices that get push messages. */
export function NotificationsPage() {
  const { user } = useMe();
  const choices = useNotificationSettings();
  if (!user) return null;
  return (
    <ProfileFrame title={t`Notifications`} subtitle={t`What we notify you about, where, and when`}>
      <section className="card profile-card" aria-labelledby="notification-choices">
        <h2 id="notification-choices">
          <Trans>Events and channels</Trans>
        </h2>
        <p className="form-text">
          <Trans>
            Changes are saved at once. We always send emails about your plan and the security of your account.
          </Trans>
        </p>
        <LoadedChoices {...choices} />
      </section>
      {choices.isFetched && (
        <Suspense fallback={null}>
          <PushCard userId={user.id} isOffered={choices.data?.pushOffered ?? false} />
        </Suspense>
      )}
    </ProfileFrame>
  );
}

function LoadedChoices({ data, error, isFetching, refetch }: ReturnType<typeof useNotificationSettings>) {
  if (data) return <NotificationChoices {...data} />;
  if (isFetching) return <Spinner label={t`Loading your choices...`} />;
  return (
    <LoadFailure className="profile-row" error={error} onRetry={() => void refetch()} isPart>
      <p>
        <Trans>Your choices could not be loaded.</Trans>
      </p>
    </LoadFailure>
  );
}
