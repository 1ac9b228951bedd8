import './notifications.scss';
import type { User } from '@casewatch/contracts/identity';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { followNotifications } from '../../api/notification-stream.ts';
import { useNotifications } from '../../api/notifications.ts';
import { Icon } from '../../components/icon.tsx';
import { usePopup } from '../../components/use-popup.ts';
import { NotificationPanel } from './notification-panel.tsx';
import { badgeText } from './notification-words.ts';

/** The bell in the header: how many notifications are unread, and the list of them. */
export function NotificationBell({ user }: { user: User }) {
  const client = useQueryClient();
  const { data: notifications } = useNotifications();
  const { open, setOpen, trigger, rootProps } = usePopup();
  const panelId = useId();
  useEffect(() => followNotifications(client, user.id), [client, user.id]);

  const unread = notifications?.filter(({ read }) => !read).length ?? 0;
  const badge = badgeText(unread);
  return (
    <div className="popup" {...rootProps}>
      <button
        type="button"
        ref={trigger}
        className="icon-button notification-bell"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        aria-label={badge === undefined ? 'Notifications' : `Notifications, ${badge} unread`}
        onClick={() => setOpen(!open)}
        data-testid="notifications-bell"
      >
        <Icon name="bell" size={20} />
        {badge !== undefined && (
          <span className="notification-badge" aria-hidden="true" data-testid="notifications-badge">
            {badge}
          </span>
        )}
      </button>
      {open && (
        <NotificationPanel
          id={panelId}
          userId={user.id}
          notifications={notifications ?? []}
          unread={unread}
        />
      )}
    </div>
  );
}
