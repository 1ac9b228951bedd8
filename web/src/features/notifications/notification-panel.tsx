import type { Notification } from '@casewatch/contracts/notifications';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { countUnread, useMarkAllRead, useMarkRead } from '../../api/notifications.ts';
import { useSavedCasesOf } from '../../api/saved-cases.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { changeText, timeText } from './notification-words.ts';

interface NotificationPanelProps {
  id: string;
  userId: string;
  notifications: readonly Notification[];
  /** Called when a case is opened: the panel is done. */
  onLeave: () => void;
}

/** The list that drops from the bell. */
export function NotificationPanel({ id, userId, notifications, onLeave }: NotificationPanelProps) {
  const { data: savedCases = [] } = useSavedCasesOf(notifications.map(({ receiptNumber }) => receiptNumber));
  const nicknames = new Map(savedCases.map(({ receiptNumber, nickname }) => [receiptNumber, nickname]));
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
        {countUnread(notifications) > 0 && (
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
                nickname={nicknames.get(notification.receiptNumber) ?? undefined}
                onOpen={() => {
                  if (!notification.read) markRead.mutate(notification.id);
                  onLeave();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface NotificationItemProps {
  notification: Notification;
  nickname: string | undefined;
  onOpen: () => void;
}

/** Leads to the case that changed, and is read with that. */
function NotificationItem({ notification, nickname, onOpen }: NotificationItemProps) {
  const { receiptNumber, createdAt, read } = notification;
  return (
    <Link
      to={`/cases/${receiptNumber}`}
      className={`notification-item${read ? '' : ' notification-unread'}`}
      onClick={onOpen}
      data-testid="notification-item"
    >
      <span className="notification-item-head">
        <span className="notification-name">
          {nickname !== undefined && <strong>{nickname} </strong>}
          <span className="notification-receipt">{receiptNumber}</span>
        </span>
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
    </Link>
  );
}
