import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useMe } from '../api/session.ts';
import { formatCalendarDay } from '../lib/format-moment.ts';

/** Says on paper alone who printed it, and when. */
export function PrintedBy() {
  const { user } = useMe();
  const [day, setDay] = useState(() => formatCalendarDay(new Date()));
  useEffect(() => {
    const print = () => flushSync(() => setDay(formatCalendarDay(new Date())));
    window.addEventListener('beforeprint', print);
    return () => window.removeEventListener('beforeprint', print);
  }, []);
  if (!user) return null;
  const name = `${user.firstName} ${user.lastName}`;
  return (
    // No <Trans>: Lingui reads tags in its values.
    <p className="printed-by">{t`${name}, printed on ${day}`}</p>
  );
}
