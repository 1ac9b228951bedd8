import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon, type IconName } from '../../components/icon.tsx';

export function Features() {
  return (
    <section className="features landing-width" aria-labelledby="features-title">
      <h2 id="features-title">
        <Trans>Everything you need to follow a case</Trans>
      </h2>
      <ul className="feature-grid">
        {features().map(({ icon, title, text, only }) => (
          <li key={title} className={only === undefined ? 'feature-card' : `feature-card only-${only}`}>
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

interface Feature {
  icon: IconName;
  title: string;
  text: string;
  /** Where Pro is offered, or where it is not. */
  only?: 'with-pro' | 'without-pro';
}

function features(): Feature[] {
  return [
    {
      icon: 'search',
      title: t`Case Search`,
      text: t`Check a case straight from the receipt number on your notice.`,
      only: 'without-pro',
    },
    {
      icon: 'layers',
      title: t`Single & Bulk Search`,
      text: t`Check one case, or up to ${BULK_SEARCH_MAX} at once, straight from the receipt numbers on your notices.`,
      only: 'with-pro',
    },
    {
      icon: 'bookmark',
      title: t`Save Your Cases`,
      text: t`Keep the cases you follow in one list and give each a nickname you recognize.`,
    },
    {
      icon: 'eye',
      title: t`Automated Monitoring`,
      text: t`Choose daily, weekly, or monthly checks for each case and let them run on their own.`,
      only: 'with-pro',
    },
    {
      icon: 'bell',
      title: t`Real-Time Notifications`,
      text: t`When a status changes you see the old one and the new one, the moment it is noticed.`,
      only: 'with-pro',
    },
    {
      icon: 'history',
      title: t`Case History`,
      text: t`Every step of a case on one timeline, from the day it was received.`,
    },
    {
      icon: 'shield',
      title: t`Secure & Private`,
      text: t`Your cases belong to your account alone and are never shown to anyone else.`,
    },
  ];
}
