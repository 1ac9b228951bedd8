import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  useChangeNotificationPreferences,
  useNotificationPreferences,
} from '../../api/notification-preferences.ts';
import { Button } from '../../components/button.tsx';
import { CheckField } from '../../components/check-field.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useDisclosure } from '../../lib/use-disclosure.ts';
import { NotificationChoices } from './notification-choices.tsx';

/** Renders whether a notification comes as an e-mail too, where the server sends e-mails; and everything else about them. */
export function EmailNotices() {
  const { data: preferences, error, isFetching, refetch } = useNotificationPreferences();
  const change = useChangeNotificationPreferences();
  const choices = useDisclosure();
  const toast = useToast();
  const report = useErrorToast();
  const choose = async (email: boolean) => {
    try {
      await change.mutateAsync({ email });
      toast({
        title: t`Updated`,
        description: email
          ? t`You will get an email when a case’s status changes.`
          : t`You won’t get emails about your cases.`,
      });
    } catch (error) {
      report(error, t`Failed to update notifications. Please try again.`);
    }
  };

  return (
    <section className="card profile-card" aria-labelledby="email-notices">
      <h2 id="email-notices">
        <Trans>Notifications</Trans>
      </h2>
      {!preferences &&
        (isFetching ? (
          <Spinner label={t`Loading your choices...`} />
        ) : (
          <LoadFailure className="profile-row" error={error} onRetry={() => void refetch()} isPart>
            <p>
              <Trans>Your choices could not be loaded.</Trans>
            </p>
          </LoadFailure>
        ))}
      {preferences?.emailOffered && !choices.isOpen && (
        <div className="profile-row">
          <CheckField
            role="switch"
            label={t`Email me when a case’s status changes`}
            hint={t`For cases with automatic checks. Every email has a link to stop these emails.`}
            // What was chosen shows at once, and goes back when it could not be kept.
            checked={change.isPending ? change.variables.email : preferences.email}
            onChange={(event) => void choose(event.currentTarget.checked)}
          />
        </div>
      )}
      {choices.isOpen ? (
        <NotificationChoices onClose={choices.close} />
      ) : (
        <div className="profile-row">
          <p>
            <Trans>
              Choose what we notify you about, where, and when. We always send emails about the security of
              your account.
            </Trans>
          </p>
          <Button ref={choices.trigger} onClick={choices.open}>
            <Trans>Choose notifications</Trans>
          </Button>
        </div>
      )}
    </section>
  );
}
