import type { AuditEntry } from '@casewatch/contracts/admin-log';
import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { actionWords } from '@casewatch/contracts/audit-actions';
import { formatMoment } from '../../../lib/format-moment.ts';
import { ROLE_WORDS } from '../shared/admin-words.tsx';

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) {
    return (
      <div className="card admin-message">
        <p>No audit entries found</p>
      </div>
    );
  }
  return (
    <div className="card audit-table-box">
      <table className="admin-table">
        <caption className="visually-hidden">What administrators did, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Who</th>
            <th scope="col">Action</th>
            <th scope="col">Subject</th>
            <th scope="col">Details</th>
            <th scope="col">From</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { at, actor, role, action, subject, success, sessionId, address, details } = entry;
  return (
    <tr>
      <td data-label="Time">
        <time dateTime={at}>{formatMoment(at)}</time>
      </td>
      <td data-label="Who">
        <div>
          {actor ?? '-'}
          {role !== null && <div className="audit-session">{roleWords(role)}</div>}
        </div>
      </td>
      <td data-label="Action">
        <div>
          {actionWords(action)}
          <div className="audit-session">{action}</div>
        </div>
      </td>
      <td data-label="Subject" className="audit-words">
        {subject}
      </td>
      <td data-label="Details" className="audit-words">
        {Object.keys(details).length === 0 ? (
          '-'
        ) : (
          <ul className="audit-details">
            {Object.entries(details).map(([name, value]) => (
              <li key={name}>
                <span>{name}:</span> {value}
              </li>
            ))}
          </ul>
        )}
      </td>
      <td data-label="From">
        <div>
          {address ?? '-'}
          {sessionId !== null && <div className="audit-session">Session {sessionId.slice(0, 8)}</div>}
        </div>
      </td>
      <td data-label="Outcome">
        <span className={`status-badge status-badge-${success ? 'secondary' : 'destructive'}`}>
          {success ? 'Success' : 'Failed'}
        </span>
      </td>
    </tr>
  );
}

export function roleWords(role: string): string {
  const known = ADMIN_ROLES.find((each) => each === role);
  return known ? ROLE_WORDS[known] : role;
}
