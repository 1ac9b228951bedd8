import { passwordBody, type User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { failureText } from '../../api/api-error.ts';
import { useChangePassword } from '../../api/profile.ts';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CurrentPasswordField } from './current-password-field.tsx';
import { EditForm } from './edit-form.tsx';

const FIELDS = ['currentPassword', 'newPassword'] as const;

export function PasswordForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangePassword();
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: passwordBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      await change.mutateAsync(values);
      toast({ title: t`Password changed`, description: t`Your other devices have been logged out.` });
      onClose();
    },
    onRefused: (error) =>
      toast({
        title: t`Error`,
        description: failureText(error, t`Failed to change password. Please try again.`),
        variant: 'destructive',
        error,
      }),
  });

  return (
    <EditForm
      formProps={formProps}
      submitLabel={t`Change password`}
      pendingLabel={t`Saving...`}
      pending={change.isPending}
      onCancel={onClose}
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" defaultValue={user.email} hidden readOnly />
      <CurrentPasswordField error={errors.currentPassword} refusal={change.error} />
      <NewPasswordField label={t`New Password`} name="newPassword" error={errors.newPassword} />
    </EditForm>
  );
}
