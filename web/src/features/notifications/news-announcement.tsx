import type { Notification } from '@casewatch/contracts/notifications';
import { useEffect, useRef, useState } from 'react';
import { announcementOf } from './notification-words.ts';

/** Tells screen readers of each change that comes while the page is open; what was there before is no news. */
export function NewsAnnouncement({ notifications }: { notifications: readonly Notification[] | undefined }) {
  const known = useRef<ReadonlySet<string>>(undefined);
  const [text, setText] = useState('');

  useEffect(() => {
    if (!notifications) return;
    const before = known.current;
    known.current = new Set(notifications.map(({ id }) => id));
    const news = before ? notifications.filter(({ id, read }) => !read && !before.has(id)) : [];
    if (news.length === 0) return;
    setText(news.map(announcementOf).join('. '));
  }, [notifications]);

  return (
    <p className="visually-hidden" role="status" data-testid="news-announcement">
      {text}
    </p>
  );
}
