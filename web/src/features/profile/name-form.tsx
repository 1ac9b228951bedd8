import { profileBody, type User } from '@casewatch/contracts/identity';
import { NAME_MAX_LENGTH } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { useChangeProfile } from '../../api/profile.ts';
import { FormField } from '../../components/form-field.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { EditForm } from './edit-form.tsx';

export function NameForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangeProfile();
  const toast = useToast();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['firstName', 'lastName', 'role'],
    schema: profileBody,
    toValues: ({ role, ...names }) => ({ ...names, role: role.trim() || null }),
    submit: async (values) => {
      await change.mutateAsync(values);
      toast({ title: t`Updated`, description: t`Your profile has been updated` });
      onClose();
    },
    onRefused: (error) => fail(error, t`Failed to update profile. Please try again.`),
  });

  return (
    <EditForm
      formProps={formProps}
      submitLabel={t`Save changes`}
      pendingLabel={t`Saving...`}
      pending={change.isPending}
      onCancel={onClose}
    >
      <div className="form-pair">
        <FormField
          label={t`First Name`}
          name="firstName"
          autoComplete="given-name"
          defaultValue={user.firstName}
          maxLength={NAME_MAX_LENGTH}
          error={errors.firstName}
        />
        <FormField
          label={t`Last Name`}
          name="lastName"
          autoComplete="family-name"
          defaultValue={user.lastName}
          maxLength={NAME_MAX_LENGTH}
          error={errors.lastName}
        />
      </div>
      <FormField
        label={t`Role (Optional)`}
        name="role"
        placeholder={t`e.g., Applicant, Attorney, etc.`}
        defaultValue={user.role ?? ''}
        maxLength={NAME_MAX_LENGTH}
        error={errors.role}
      />
    </EditForm>
  );
}
