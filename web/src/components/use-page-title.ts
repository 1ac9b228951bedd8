import { useEffect } from 'react';
import { useUnreadCount } from '../api/notifications.ts';
import { PRODUCT_NAME } from '../config/product.ts';

/** Names the browser tab `<title> | Casewatch`, after the number of unread notifications, for as long as the screen is shown. */
export function usePageTitle(title: string): void {
  const unread = useUnreadCount();
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title} | ${PRODUCT_NAME}`;
  }, [title, unread]);
}
