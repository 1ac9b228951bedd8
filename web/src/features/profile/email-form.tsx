import { emailBody, type User } from '@casewatch/contracts/identity';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useChangeEmail } from '../../api/profile.ts';
import { FormField } from '../../components/form-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CurrentPasswordField } from './current-password-field.tsx';
import { EditForm } from './edit-form.tsx';

const FIELDS = ['email', 'currentPassword'] as const;

export function EmailForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangeEmail();
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: emailBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      const { email } = await change.mutateAsync(values);
      if (email === values.email.trim()) {
        toast({ title: 'Updated', description: 'Your email address has been changed' });
      } else {
        toast({
          title: 'Check your email',
          description: `Open the link we sent to ${values.email.trim()}. Until then your address stays ${email}.`,
        });
      }
      onClose();
    },
    onRefused: (error) =>
      toast({
        title: 'Error',
        description: failureText(error, 'Failed to change email address'),
        variant: 'destructive',
        error,
      }),
  });
  const emailTaken = hasCode(change.error, 'EMAIL_TAKEN') ? change.error.serverMessage : undefined;

  return (
    <EditForm
      formProps={formProps}
      submitLabel="Change email"
      pendingLabel="Saving..."
      pending={change.isPending}
      onCancel={onClose}
    >
      <FormField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={user.email}
        error={errors.email ?? emailTaken}
      />
      <CurrentPasswordField error={errors.currentPassword} refusal={change.error} />
    </EditForm>
  );
}
