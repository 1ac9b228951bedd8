import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { type AdminInvitation, inviteBody } from '@casewatch/contracts/administrators';
import { useState } from 'react';
import { useInviteAdministrator } from '../../../api/administrators.ts';
import { hasCode } from '../../../api/api-error.ts';
import { FormField } from '../../../components/form-field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useCheckedForm } from '../../../lib/use-checked-form.ts';
import { useAdminFailure } from '../shared/admin-context.ts';
import { ROLE_HINTS, ROLE_WORDS } from '../shared/admin-words.tsx';

/** Invites an administrator; the link that comes back is the inviter's to send. */
export function InviteForm({ onInvited }: { onInvited: (invitation: AdminInvitation) => void }) {
  const invite = useInviteAdministrator();
  const fail = useAdminFailure();
  const [role, setRole] = useState<string>('auditor');
  const known = ADMIN_ROLES.find((each) => each === role) ?? 'auditor';
  const { errors, formProps } = useCheckedForm({
    fields: ['email', 'role'],
    schema: inviteBody,
    toValues: ({ email }) => ({ email, role: known }),
    submit: async (values) => {
      onInvited(await invite.mutateAsync(values));
      formProps.ref.current?.reset();
    },
    onRefused: (error) => fail(error, 'The invitation could not be created.'),
  });
  const taken = hasCode(invite.error, 'ADMINISTRATOR_EXISTS') ? invite.error.serverMessage : undefined;
  return (
    <form {...formProps} className="card invite-form" aria-label="Invite an administrator">
      <FormField label="Email" name="email" type="email" autoComplete="off" error={errors.email ?? taken} />
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={({ target }) => setRole(target.value)}
        options={ADMIN_ROLES.map((each) => [each, ROLE_WORDS[each]] as const)}
        error={errors.role}
      />
      <button type="submit" className="btn btn-primary" disabled={invite.isPending}>
        {invite.isPending ? 'Inviting...' : 'Invite'}
      </button>
      <p className="form-text" aria-live="polite">
        {ROLE_HINTS[known]}
      </p>
    </form>
  );
}
