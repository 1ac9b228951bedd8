import { emailBody, type User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { failureText, hasCode } from '../../api/api-error.ts';
import { useChangeEmail } from '../../api/profile.ts';
import { FormField } from '../../components/form-field.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { CurrentPasswordField } from './current-password-field.tsx';
import { EditForm } from './edit-form.tsx';

export function EmailForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangeEmail();
  const toast = useToast();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['email', 'currentPassword'],
    schema: emailBody,
    toValues: (texts) => texts,
    submit: async (values) => {
      const { email } = await change.mutateAsync(values);
      if (email === values.email.trim()) {
        toast({ title: t`Updated`, description: t`Your email address has been changed` });
      } else {
        toast({
          title: t`Check your email`,
          description: t`Open the link we sent to ${values.email.trim()}. Until then your address stays ${email}.`,
        });
      }
      onClose();
    },
    onRefused: (error) => fail(error, t`Failed to change email address. Please try again.`),
  });
  const emailTaken = hasCode(change.error, 'EMAIL_TAKEN')
    ? failureText(change.error, t`An account with this email address already exists.`)
    : undefined;

  return (
    <EditForm
      formProps={formProps}
      submitLabel={t`Change email`}
      pendingLabel={t`Saving...`}
      pending={change.isPending}
      onCancel={onClose}
    >
      <FormField
        label={t`Email`}
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
