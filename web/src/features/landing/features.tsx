import { BULK_SEARCH_MAX } from '@casewatch/contracts/limits';
import { GUIDE_PAGE } from '@casewatch/contracts/server-paths';
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
      <p className="features-guide">
        <Trans>
          Do you know your status, but not what it means?{' '}
          <a href={GUIDE_PAGE}>Every status is explained in the status guide</a>.
        </Trans>
      </p>
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
      title: t`Case search`,
      text: t`Check a case with the receipt number on your notice.`,
      only: 'without-pro',
    },
    {
      icon: 'layers',
      title: t`Single & bulk search`,
      text: t`Check one case, or up to ${BULK_SEARCH_MAX} at once, with the receipt numbers on your notices.`,
      only: 'with-pro',
    },
    {
      icon: 'bookmark',
      title: t`Save your cases`,
      text: t`Keep the cases you follow in one list and give each a nickname you recognize.`,
    },
    {
      icon: 'eye',
      title: t`Automated monitoring`,
      text: t`Choose daily, weekly, or monthly checks for each case. They run automatically.`,
      only: 'with-pro',
    },
    {
      icon: 'bell',
      title: t`Real-time notifications`,
      text: t`When a status changes, we show you the old one and the new one as soon as we detect it.`,
      only: 'with-pro',
    },
    {
      icon: 'history',
      title: t`Case history`,
      text: t`The steps USCIS reports, on one timeline, from the day the case was received.`,
    },
    {
      icon: 'shield',
      title: t`Secure & private`,
      text: t`What you save belongs to your account. We do not sell or publish your cases.`,
    },
  ];
}
