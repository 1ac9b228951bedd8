import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { useSubscription } from '../../api/billing.ts';
import { Icon } from '../../components/icon.tsx';
import { formatDay } from '../../lib/format-moment.ts';

/** Says, while a cancellation is pending, when the monitoring of these cases pauses, and how to keep it. */
export function PlanEndWarning() {
  const { data: subscription } = useSubscription();
  if (!subscription?.canResume || subscription.endsAt === null) return null;
  return (
    <p className="warning-note">
      <Icon name="alert-triangle" />
      <span>
        <Trans>
          Pro ends on {formatDay(subscription.endsAt)}. Monitoring pauses that day. Your settings are saved.{' '}
          <Link to="/profile">Keep Pro</Link>
        </Trans>
      </span>
    </p>
  );
}
