import type { Notification } from '@casewatch/contracts/notifications';
import { useEffect, useId, useRef } from 'react';
import { useMarkAllRead, useMarkRead } from '../../api/notifications.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { changeText, timeText } from './notification-words.ts';

interface NotificationPanelProps {
  id: string;
  userId: string;
  notifications: readonly Notification[];
  unread: number;
}

/** The list that drops from the bell. */
export function NotificationPanel({ id, userId, notifications, unread }: NotificationPanelProps) {
  const markRead = useMarkRead(userId);
  const markAllRead = useMarkAllRead(userId);
  const toast = useToast();
  const titleId = useId();
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => panel.current?.focus(), []);

  const markAll = () => {
    markAllRead.mutate(undefined, {
      onSuccess: () => toast({ title: 'All notifications marked as read' }),
    });
    // The button is about to go, and must not take the focus with it.
    panel.current?.focus();
  };

  return (
    <div
      ref={panel}
      id={id}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      className="popup-panel notification-panel"
    >
      <div className="notification-panel-head">
        <h2 id={titleId}>Notifications</h2>
        {unread > 0 && (
          <button
            type="button"
            className="btn btn-link btn-sm"
            disabled={markAllRead.isPending}
            onClick={markAll}
          >
            Mark all read
          </button>
        )}
      </div>
      {notifications.length === 0 ? (
        <p className="notification-none">No notifications</p>
      ) : (
        <ul className="notification-list">
          {notifications.map((notification) => (
            <li key={notification.id}>
              <NotificationItem
                notification={notification}
                onRead={() => !notification.read && markRead.mutate(notification.id)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function NotificationItem({ notification, onRead }: { notification: Notification; onRead: () => void }) {
  const { receiptNumber, createdAt, read } = notification;
  return (
    <button
      type="button"
      className={`notification-item${read ? '' : ' notification-unread'}`}
      onClick={onRead}
      data-testid="notification-item"
    >
      <span className="notification-item-head">
        <span className="notification-receipt">{receiptNumber}</span>
        {!read && (
          <span className="notification-dot" data-testid="notification-dot">
            <span className="visually-hidden">Unread</span>
          </span>
        )}
      </span>
      <span className="notification-what">Status changed</span>
      <span>{changeText(notification)}</span>
      <time className="notification-time" dateTime={createdAt}>
        {timeText(createdAt)}
      </time>
    </button>
  );
}
