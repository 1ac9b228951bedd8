import type { AuditEntry } from '@casewatch/contracts/admin-log';
import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { actionWords } from '@casewatch/contracts/audit-actions';
import { useState } from 'react';
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
      <table className="admin-table audit-table">
        <caption className="visually-hidden">What administrators did, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Who</th>
            <th scope="col">Action</th>
            <th scope="col">Details</th>
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

/** One line, whose button covers it; pressed, all that is stored of the entry unfolds beneath. */
function AuditRow({ entry }: { entry: AuditEntry }) {
  const { id, at, actor, action, success, details } = entry;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr className="row-opens">
        <td data-label="Time">
          <time dateTime={at}>{formatMoment(at)}</time>
        </td>
        <td data-label="Who">{actor ?? '-'}</td>
        <td data-label="Action">
          <button
            type="button"
            className="row-button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `audit-${id}` : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {actionWords(action)}
          </button>
        </td>
        <td data-label="Details" className="audit-line">
          {Object.values(details).join(' · ') || '-'}
        </td>
        <td data-label="Outcome">
          <span className={`status-badge status-badge-${success ? 'secondary' : 'destructive'}`}>
            {success ? 'Success' : 'Failed'}
          </span>
        </td>
      </tr>
      {isOpen && (
        <tr id={`audit-${id}`}>
          <td colSpan={5} className="audit-facts">
            <dl className="facts">
              {factsOf(entry).map(([name, value]) => (
                <div key={name} className="fact">
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}

function factsOf(entry: AuditEntry): readonly (readonly [name: string, value: string])[] {
  const { role, action, subject, sessionId, address, details } = entry;
  return [
    ...Object.entries(details).map(([name, value]) => [detailWords(name), value] as const),
    ['Role', role === null ? '-' : roleWords(role)],
    ['From', address ?? '-'],
    ['Session', sessionId ?? '-'],
    ['Subject', subject],
    ['Stored as', action],
  ];
}

/** Returns the name of a detail as people write it: `receiptNumber` as `Receipt number`. */
export function detailWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.]+/g, ' ')
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function roleWords(role: string): string {
  const known = ADMIN_ROLES.find((each) => each === role);
  return known ? ROLE_WORDS[known] : role;
}
