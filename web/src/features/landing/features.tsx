import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import { Icon, type IconName } from '../../components/icon.tsx';

const FEATURES: readonly { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'layers',
    title: 'Single & Bulk Search',
    text: `Check one case, or up to ${BULK_SEARCH_MAX} at once, straight from the receipt numbers on your notices.`,
  },
  {
    icon: 'bookmark',
    title: 'Save Your Cases',
    text: 'Keep the cases you follow in one list and give each a nickname you recognize.',
  },
  {
    icon: 'eye',
    title: 'Automated Monitoring',
    text: 'Choose daily, weekly, or monthly checks for each case and let them run on their own.',
  },
  {
    icon: 'bell',
    title: 'Real-Time Notifications',
    text: 'When a status changes you see the old one and the new one, the moment it is noticed.',
  },
  {
    icon: 'history',
    title: 'Case History',
    text: 'Every step of a case on one timeline, from the day it was received.',
  },
  {
    icon: 'shield',
    title: 'Secure & Private',
    text: 'Your cases belong to your account alone and are never shown to anyone else.',
  },
];

export function Features() {
  return (
    <section className="features landing-width" aria-labelledby="features-title">
      <h2 id="features-title">Everything you need to follow a case</h2>
      <ul className="feature-grid">
        {FEATURES.map(({ icon, title, text }) => (
          <li key={title} className="feature-card">
            <span className="feature-icon">
              <Icon name={icon} size={22} />
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
