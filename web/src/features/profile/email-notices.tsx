import {
  useChangeNotificationPreferences,
  useNotificationPreferences,
} from '../../api/notification-preferences.ts';
import { CheckField } from '../../components/check-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';

/** Whether a notification comes as an e-mail too; shown only where the server sends e-mails. */
export function EmailNotices() {
  const { data: preferences } = useNotificationPreferences();
  const change = useChangeNotificationPreferences();
  const toast = useToast();
  if (!preferences?.emailOffered) return null;

  const choose = async (email: boolean) => {
    try {
      await change.mutateAsync({ email });
      toast({
        title: 'Updated',
        description: email ? 'You will get an e-mail when a case moves.' : 'You will get no more e-mails.',
      });
    } catch (error) {
      toast({
        title: 'Error',
        description: 'Failed to update notifications',
        variant: 'destructive',
        error,
      });
    }
  };

  return (
    <section className="card profile-card" aria-labelledby="email-notices">
      <h2 id="email-notices">Notifications</h2>
      <div className="profile-row">
        <CheckField
          role="switch"
          label="E-mail me when a case moves"
          hint="For the cases that are checked automatically. Each e-mail has a link that stops them."
          // What was chosen shows at once, and goes back when it could not be kept.
          checked={change.isPending ? change.variables.email : preferences.email}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />
      </div>
    </section>
  );
}
