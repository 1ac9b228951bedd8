import './admin-administrators.scss';
import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import type { AdminInvitation, Administrator } from '@casewatch/contracts/administrators';
import { useRef, useState } from 'react';
import {
  useAdministrators,
  useChangeRole,
  useRemoveAdministrator,
  useRenewInvitation,
} from '../../../api/administrators.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { formatMoment } from '../../../lib/format-moment.ts';
import { useAdminFailure } from '../shared/admin-context.ts';
import { ROLE_WORDS, TimeZoneNote } from '../shared/admin-words.tsx';
import { InviteForm } from './invite-form.tsx';

/** Lists the administrators, with everything that an owner can do about them. */
export function AdministratorsTab() {
  const { data, error, isFetching, refetch } = useAdministrators();
  const [invitation, setInvitation] = useState<AdminInvitation | null>(null);
  const [leaving, setLeaving] = useState<Administrator | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Administrators
      </h2>
      <InviteForm onInvited={setInvitation} />
      <div aria-live="polite">{invitation && <InvitationLink invitation={invitation} />}</div>
      {data ? (
        <AdministratorTable administrators={data} onInvited={setInvitation} onRemove={setLeaving} />
      ) : isFetching ? (
        <Spinner />
      ) : (
        <LoadFailure className="card admin-message" error={error} onRetry={() => void refetch()}>
          <p>The administrators could not be loaded.</p>
        </LoadFailure>
      )}
      <RemovalDialog
        administrator={leaving}
        onClose={() => setLeaving(null)}
        // The button that asked is removed with its row.
        onRemoved={(id) => {
          if (invitation?.administrator.id === id) setInvitation(null);
          heading.current?.focus();
        }}
      />
    </>
  );
}

function InvitationLink({ invitation: { administrator, link } }: { invitation: AdminInvitation }) {
  return (
    <div className="card invitation-link">
      <p>
        Send this link to <strong>{administrator.email}</strong>. It works once, for three days, and is not
        shown again.
      </p>
      <code>{link}</code>
      <CopyButton key={link} text={link} label="Copy the link" />
    </div>
  );
}

interface AdministratorTableProps {
  administrators: readonly Administrator[];
  onInvited: (invitation: AdminInvitation) => void;
  onRemove: (administrator: Administrator) => void;
}

function AdministratorTable({ administrators, onInvited, onRemove }: AdministratorTableProps) {
  const changeRole = useChangeRole();
  const renew = useRenewInvitation();
  const toast = useToast();
  const fail = useAdminFailure();
  if (administrators.length === 0) {
    return (
      <div className="card admin-message">
        <p>No administrators yet. Invite the first one.</p>
      </div>
    );
  }
  const setRole = async (id: string, chosen: string) => {
    const role = ADMIN_ROLES.find((each) => each === chosen);
    if (!role) return;
    try {
      await changeRole.mutateAsync({ id, role });
      toast({ title: 'Role changed' });
    } catch (error) {
      fail(error, 'The role could not be changed.');
    }
  };
  const newLink = (id: string) =>
    renew.mutateAsync(id).then(onInvited, (error: unknown) => fail(error, 'The link could not be created.'));
  return (
    <>
      <div className="card audit-table-box">
        <table className="admin-table">
          <caption className="visually-hidden">Administrators, by email address</caption>
          <thead>
            <tr>
              <th scope="col">Administrator</th>
              <th scope="col">Role</th>
              <th scope="col">Last sign-in</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {administrators.map((each) => (
              <tr key={each.id}>
                <th scope="row" data-label="Administrator">
                  <div className="administrator-name">
                    {each.name ?? each.email}
                    {each.name !== null && <span>{each.email}</span>}
                  </div>
                </th>
                <td data-label="Role">
                  <select
                    className="form-select form-select-sm"
                    aria-label={`Role of ${each.name ?? each.email}`}
                    value={each.role}
                    onChange={({ target }) => void setRole(each.id, target.value)}
                  >
                    {ADMIN_ROLES.map((role) => (
                      <option key={role} value={role}>
                        {ROLE_WORDS[role]}
                      </option>
                    ))}
                  </select>
                </td>
                <td data-label="Last sign-in">{stateOf(each)}</td>
                <td data-label="Actions">
                  <div className="administrator-actions">
                    <Button disabled={renew.isPending} onClick={() => void newLink(each.id)}>
                      New link<span className="visually-hidden"> for {each.email}</span>
                    </Button>
                    <button
                      type="button"
                      className="btn btn-sm btn-outline-danger"
                      onClick={() => onRemove(each)}
                    >
                      Remove<span className="visually-hidden"> {each.email}</span>
                    </button>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <TimeZoneNote />
    </>
  );
}

function stateOf({ isActive, lastSignInAt, invitedUntil }: Administrator): string {
  if (!isActive && invitedUntil === null && lastSignInAt !== null) return 'Access ended';
  if (lastSignInAt !== null) return formatMoment(lastSignInAt);
  if (isActive) return 'Never';
  return invitedUntil === null ? 'Not set up yet' : `Invitation expires ${formatMoment(invitedUntil)}`;
}

interface RemovalDialogProps {
  administrator: Administrator | null;
  onClose: () => void;
  onRemoved: (id: string) => void;
}

function RemovalDialog({ administrator, onClose, onRemoved }: RemovalDialogProps) {
  const remove = useRemoveAdministrator();
  const fail = useAdminFailure();
  const removed = useRef<string | null>(null);
  const [last, setLast] = useState(administrator);
  // What was asked outlives the closing, so that the words don't change while the dialog fades out.
  if (administrator !== null && administrator !== last) setLast(administrator);
  const asked = administrator ?? last;
  if (asked === null) return null;
  const confirm = async () => {
    try {
      await remove.mutateAsync(asked.id);
      removed.current = asked.id;
    } catch (error) {
      fail(error, 'The administrator could not be removed.');
    }
    onClose();
  };
  return (
    <ConfirmDialog
      show={administrator !== null}
      title={`Remove ${asked.name ?? asked.email}?`}
      confirmLabel="Remove administrator"
      destructive
      pending={remove.isPending}
      onConfirm={() => void confirm()}
      onHide={onClose}
      onExited={() => {
        if (removed.current !== null) onRemoved(removed.current);
        removed.current = null;
      }}
    >
      <p className="mb-0">This ends their sessions immediately. Their actions stay in the audit trail.</p>
    </ConfirmDialog>
  );
}
