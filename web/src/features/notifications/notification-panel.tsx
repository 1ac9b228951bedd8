import type { SavedCase } from '@casewatch/contracts/cases';
import type { Notification } from '@casewatch/contracts/notifications';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { countUnread, useMarkAllRead, useMarkRead, type useNotifications } from '../../api/notifications.ts';
import { useSavedCasesOf } from '../../api/saved-cases.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { dateText } from '../../lib/case-date-words.ts';
import { formatDayAndTime } from '../../lib/format-moment.ts';
import { changeText, pathOf, planText } from './notification-words.ts';

/** The guide is larger than the rest of the bell, which works without it. */
const ChangeMeaning = lazy(() =>
  import('./change-meaning.tsx').then(
    ({ ChangeMeaning }) => ({ default: ChangeMeaning }),
    () => ({ default: NoMeaning }),
  ),
);
const NoMeaning = () => null;

interface NotificationPanelProps {
  id: string;
  userId: string;
  list: ReturnType<typeof useNotifications>;
  /** Called when a case or the plan is opened: the panel is done. */
  onLeave: () => void;
}

/** Renders the list that drops from the bell. */
export function NotificationPanel({ id, userId, list, onLeave }: NotificationPanelProps) {
  const notifications = list.data ?? [];
  const { data: savedCases = [] } = useSavedCasesOf(
    notifications.flatMap((one) => (one.kind === 'plan' ? [] : one.receiptNumber)),
  );
  const known = new Map(savedCases.map((one) => [one.receiptNumber, one]));
  const markRead = useMarkRead(userId);
  const markAllRead = useMarkAllRead(userId);
  const toast = useToast();
  const report = useErrorToast();
  const titleId = useId();
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => panel.current?.focus(), []);

  const markAll = () => {
    markAllRead.mutate(undefined, {
      onSuccess: () => toast({ title: t`All notifications marked as read` }),
      onError: (error) => report(error, t`Failed to mark the notifications as read. Please try again.`),
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
        <h2 id={titleId}>
          <Trans>Notifications</Trans>
        </h2>
        {countUnread(notifications) > 0 && (
          <button
            type="button"
            className="btn btn-link btn-sm"
            disabled={markAllRead.isPending}
            onClick={markAll}
          >
            <Trans>Mark all read</Trans>
          </button>
        )}
      </div>
      {list.data === undefined ? (
        list.isFetching ? (
          <Spinner label={t`Loading notifications...`} />
        ) : (
          <LoadFailure
            className="notification-none"
            error={list.error}
            onRetry={() => void list.refetch()}
            isPart
          >
            <p>
              <Trans>Your notifications could not be loaded.</Trans>
            </p>
          </LoadFailure>
        )
      ) : notifications.length === 0 ? (
        <p className="notification-none">
          <Trans>No notifications</Trans>
        </p>
      ) : (
        <ul className="notification-list">
          {notifications.map((notification) => (
            <li key={notification.id}>
              <NotificationItem
                notification={notification}
                savedCase={notification.kind === 'plan' ? undefined : known.get(notification.receiptNumber)}
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
  /** The case it is about, where it is saved. */
  savedCase: SavedCase | undefined;
  onOpen: () => void;
}

/** Leads to the case or the plan that it is about, and is read with that. */
function NotificationItem({ notification, savedCase, onOpen }: NotificationItemProps) {
  const { createdAt, read } = notification;
  const { name, what, text } = wordsOf(notification, savedCase);
  return (
    <Link
      to={pathOf(notification)}
      className={`notification-item${read ? '' : ' notification-unread'}`}
      onClick={onOpen}
      data-testid="notification-item"
    >
      <span className="notification-item-head">
        <span className="notification-name">{name}</span>
        {!read && (
          <span className="notification-dot" data-testid="notification-dot">
            <span className="visually-hidden">
              <Trans>Unread</Trans>
            </span>
          </span>
        )}
      </span>
      <span className="notification-what">{what}</span>
      <span>{text}</span>
      {notification.kind === 'status' && (
        <Suspense fallback={null}>
          <ChangeMeaning notification={notification} formType={savedCase?.formType ?? ''} />
        </Suspense>
      )}
      <time className="notification-time" dateTime={createdAt}>
        {formatDayAndTime(createdAt)}
      </time>
    </Link>
  );
}

function wordsOf(notification: Notification, savedCase: SavedCase | undefined) {
  if (notification.kind === 'plan') {
    const { title, text, action } = planText(notification);
    return { name: <strong>{t`Your plan`}</strong>, what: title, text: `${text} ${action.label}.` };
  }
  const own = savedCase && { status: savedCase.lastKnownStatus, statusEs: savedCase.statusEs };
  const name = (
    <>
      {savedCase?.nickname && <strong>{savedCase.nickname} </strong>}
      <span className="notification-receipt">{notification.receiptNumber}</span>
    </>
  );
  if (notification.kind === 'date') {
    const { dateKind, day, label } = notification;
    return {
      name,
      what: t`Date reminder`,
      text: [dateText(dateKind, day), label].filter(Boolean).join('. '),
    };
  }
  return { name, what: t`Status changed`, text: changeText(notification, own) };
}
