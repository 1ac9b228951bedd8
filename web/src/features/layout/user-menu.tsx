import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useOffline } from '../../api/offline.ts';
import { useLogOut } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { menuItemsIn, moveInMenu } from '../../components/move-in-menu.ts';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { Tooltip } from '../../components/tooltip/tooltip.tsx';
import { useLogOutQuestion } from '../../components/use-log-out-question.tsx';
import { usePopup } from '../../components/use-popup.ts';
import { needsHomeScreen, useInstall } from '../../lib/install-offer.ts';

/** Renders the signed-in user, the way to install the app where there is one, and the way to sign out. */
export function UserMenu({ user }: { user: User }) {
  const { open, setOpen, trigger, rootProps } = usePopup();
  const logOut = useLogOutWithToast();
  const noteId = useId();
  const panelId = useId();
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (open && menu.current) menuItemsIn(menu.current).at(0)?.focus();
  }, [open]);

  const openOnArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || open) return;
    event.preventDefault();
    setOpen(true);
  };

  return (
    <>
      <div className="popup" {...rootProps}>
        <Tooltip text={t`User menu`} placement="bottom" disabled={open}>
          <button
            type="button"
            ref={trigger}
            className="avatar-button"
            aria-haspopup="menu"
            aria-expanded={open}
            aria-controls={open ? panelId : undefined}
            onClick={() => setOpen(!open)}
            onKeyDown={openOnArrow}
            data-testid="user-menu"
          >
            <span aria-hidden="true">{initials(user)}</span>
            <span className="visually-hidden">
              <Trans>User menu</Trans>
            </span>
          </button>
        </Tooltip>
        {open && (
          <div className="popup-panel user-panel">
            <div className="user-panel-who">
              <strong>
                {user.firstName} {user.lastName}
              </strong>
              <span>{user.email}</span>
              {user.role !== null && user.role !== '' && <span className="user-panel-role">{user.role}</span>}
            </div>
            {needsHomeScreen() && (
              <p className="menu-note" id={noteId}>
                <Trans>To install Casewatch, tap Share, then “Add to Home Screen”.</Trans>
              </p>
            )}
            <div
              role="menu"
              ref={menu}
              id={panelId}
              aria-label={t`User menu`}
              aria-describedby={needsHomeScreen() ? noteId : undefined}
              onKeyDown={moveInMenu}
            >
              <InstallItem
                onChoose={() => {
                  trigger.current?.focus();
                  setOpen(false);
                }}
              />
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                className="popup-item"
                disabled={logOut.pending}
                onClick={logOut.ask}
              >
                <Icon name="log-out" />
                <Trans>Log out</Trans>
              </button>
            </div>
          </div>
        )}
      </div>
      {logOut.dialog}
    </>
  );
}

/** Renders nothing where the browser does not offer to install the app. */
function InstallItem({ onChoose }: { onChoose: () => void }) {
  const install = useInstall();
  if (!install) return null;
  const choose = () => {
    onChoose();
    install();
  };
  return (
    <button type="button" role="menuitem" tabIndex={-1} className="popup-item" onClick={choose}>
      <Icon name="plus" />
      <Trans>Install Casewatch</Trans>
    </button>
  );
}

function initials(user: User): string {
  return `${[...user.firstName][0] ?? ''}${[...user.lastName][0] ?? ''}`.toUpperCase();
}

/** Signs out and says how it went. The toast outlives the signed-in screens; the caller renders `dialog`. */
function useLogOutWithToast() {
  const isOffline = useOffline();
  const logOut = useLogOut();
  const toast = useToast();
  const report = useErrorToast();

  const run = async () => {
    try {
      await logOut.mutateAsync();
    } catch (error) {
      report(error, t`Failed to log out. Please try again.`);
      return;
    }
    toast({ title: t`Logged out`, description: t`You have been successfully logged out.` });
  };
  const question = useLogOutQuestion(() => void run());
  const ask = () => {
    if (!isOffline) return question.ask();
    toast({
      title: t`You are offline`,
      description: t`Logging out needs a connection. Until then, lock this device if others use it.`,
    });
  };
  return { ask, dialog: question.dialog, pending: logOut.isPending };
}
