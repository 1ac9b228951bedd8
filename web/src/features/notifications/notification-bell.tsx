import './notifications.scss';
import type { User } from '@casewatch/contracts/identity';
import type { Notification } from '@casewatch/contracts/notifications';
import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { followNotifications } from '../../api/notification-stream.ts';
import { countUnread, useNotifications } from '../../api/notifications.ts';
import { Icon } from '../../components/icon.tsx';
import { Tooltip } from '../../components/tooltip/tooltip.tsx';
import { usePopup } from '../../components/use-popup.ts';
import { NotificationPanel } from './notification-panel.tsx';
import { announcementOf, badgeText } from './notification-words.ts';

/** Renders the bell in the header: how many notifications are unread, and the list of them. */
export function NotificationBell({ user }: { user: User }) {
  const client = useQueryClient();
  const list = useNotifications();
  const notifications = list.data;
  const { open, setOpen, trigger, rootProps } = usePopup();
  const panelId = useId();
  useEffect(() => followNotifications(client, user.id), [client, user.id]);

  const badge = badgeText(countUnread(notifications ?? []));
  // The screen that opens takes the focus from the bell; where it is open already, the bell keeps it.
  const leave = () => {
    trigger.current?.focus();
    setOpen(false);
  };
  return (
    <div className="popup" {...rootProps}>
      <Tooltip text={t`Notifications`} placement="bottom" disabled={open}>
        <button
          type="button"
          ref={trigger}
          className="icon-button notification-bell"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-controls={open ? panelId : undefined}
          aria-label={badge === undefined ? t`Notifications` : t`Notifications, ${badge} unread`}
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
      </Tooltip>
      <NewsAnnouncement notifications={notifications} />
      {open && <NotificationPanel id={panelId} userId={user.id} list={list} onLeave={leave} />}
    </div>
  );
}

/** Announces each change that comes while the page is open to screen readers, not what was there before. */
function NewsAnnouncement({ notifications }: { notifications: readonly Notification[] | undefined }) {
  const known = useRef<ReadonlySet<string>>(undefined);
  const [text, setText] = useState('');

  useEffect(() => {
    if (!notifications) return;
    const before = known.current;
    known.current = new Set(notifications.map(({ id }) => id));
    const newOnes = before ? notifications.filter(({ id, read }) => !read && !before.has(id)) : [];
    if (newOnes.length === 0) return;
    setText(newOnes.map(announcementOf).join('. '));
  }, [notifications]);

  return (
    <p className="visually-hidden" role="status" data-testid="news-announcement">
      {text}
    </p>
  );
}
