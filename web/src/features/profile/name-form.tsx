import { profileBody, type User } from '@casewatch/contracts/identity';
import { NAME_MAX_LENGTH } from '@casewatch/contracts/limits';
import { failureText } from '../../api/api-error.ts';
import { useChangeProfile } from '../../api/profile.ts';
import { FormField } from '../../components/form-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { EditForm } from './edit-form.tsx';

const FIELDS = ['firstName', 'lastName', 'role'] as const;

export function NameForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangeProfile();
  const toast = useToast();
  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: profileBody,
    toValues: ({ role, ...names }) => ({ ...names, role: role.trim() || null }),
    submit: async (values) => {
      await change.mutateAsync(values);
      toast({ title: 'Updated', description: 'Your profile has been updated' });
      onClose();
    },
    onRefused: (error) =>
      toast({
        title: 'Error',
        description: failureText(error, 'Failed to update profile'),
        variant: 'destructive',
        error,
      }),
  });

  return (
    <EditForm
      formProps={formProps}
      submitLabel="Save changes"
      pendingLabel="Saving..."
      pending={change.isPending}
      onCancel={onClose}
    >
      <div className="form-pair">
        <FormField
          label="First Name"
          name="firstName"
          autoComplete="given-name"
          defaultValue={user.firstName}
          maxLength={NAME_MAX_LENGTH}
          error={errors.firstName}
        />
        <FormField
          label="Last Name"
          name="lastName"
          autoComplete="family-name"
          defaultValue={user.lastName}
          maxLength={NAME_MAX_LENGTH}
          error={errors.lastName}
        />
      </div>
      <FormField
        label="Role (Optional)"
        name="role"
        placeholder="e.g., Applicant, Attorney, etc."
        defaultValue={user.role ?? ''}
        maxLength={NAME_MAX_LENGTH}
        error={errors.role}
      />
    </EditForm>
  );
}
