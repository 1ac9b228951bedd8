import './example-case.scss';
import { StatusBadge } from '../../components/status-badge.tsx';

const STEPS = [
  { status: 'Case Was Approved', date: 'Sep 3, 2025' },
  { status: 'Interview Was Completed', date: 'Aug 12, 2025' },
  { status: 'Fingerprints Were Taken', date: 'Apr 28, 2025' },
  { status: 'Case Was Received', date: 'Mar 17, 2025' },
];

/** A made-up case as the app shows one, to look at only. */
export function ExampleCase() {
  return (
    <figure className="example-case">
      <div className="example-card">
        <div className="example-head">
          <span className="example-label">Receipt number</span>
          <span className="receipt-number">IOE0123456789</span>
        </div>
        <StatusBadge status="Case Was Approved" />
        <ol className="example-steps">
          {STEPS.map(({ status, date }) => (
            <li key={status}>
              <span>{status}</span>
              <span className="example-date">{date}</span>
            </li>
          ))}
        </ol>
      </div>
      <figcaption>An example of what a tracked case looks like.</figcaption>
    </figure>
  );
}
