import { timeZoneName } from './admin-words.ts';

/** Says which time zone the times above are in. */
export function TimeZoneNote() {
  return <p className="admin-zone">Times are in {timeZoneName()}.</p>;
}
