import { BROWSERS_PAGE, GUIDE_PAGE, type PolicyName, policyPage } from '@casewatch/contracts/server-paths';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { OFFICIAL_CASE_STATUS_URL } from '../config/product.ts';

/** Says that the product is unofficial and where its data comes from. */
export function DisclaimerFooter() {
  return (
    <footer className="disclaimer">
      <p>
        <Trans>
          This is an unofficial tool and is not affiliated with any government agency. For official
          information, visit the{' '}
          <a href={OFFICIAL_CASE_STATUS_URL} target="_blank" rel="noopener noreferrer">
            USCIS Case Status website
          </a>
          .
        </Trans>
      </p>
      <p>
        <Trans>
          Powered by the USCIS Case Status API. Data is retrieved from USCIS servers and is subject to their
          terms.
        </Trans>
      </p>
      <p>
        <a href={GUIDE_PAGE}>
          <Trans>What your USCIS case status means</Trans>
        </a>
      </p>
      <p>
        <a href={BROWSERS_PAGE}>
          <Trans>Browsers that work with Casewatch</Trans>
        </a>
      </p>
      <PolicyLinks />
    </footer>
  );
}

/** Leads to the pages that say who runs the installation, and by which rules. */
function PolicyLinks() {
  const names: Record<PolicyName, string> = {
    privacy: t`Privacy policy`,
    terms: t`Terms of use`,
    accessibility: t`Accessibility`,
    cookies: t`Cookies`,
    contact: t`Contact`,
  };
  return (
    <p className="policy-links">
      {Object.entries(names).map(([name, text]) => (
        <a key={name} href={policyPage(name as PolicyName)}>
          {text}
        </a>
      ))}
    </p>
  );
}
