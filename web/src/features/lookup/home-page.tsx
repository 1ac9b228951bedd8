import './lookup.scss';
import { useState } from 'react';
import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { useMe } from '../../api/session.ts';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { UpgradeDialog } from '../../components/upgrade-dialog.tsx';
import { useUpgradePrompt } from '../../lib/use-upgrade-prompt.ts';
import { BulkSearchForm } from './bulk-search-form.tsx';
import { BulkSearchResults } from './bulk-search-results.tsx';
import { SingleCaseForm } from './single-case-form.tsx';
import { SingleResults } from './single-results.tsx';
import { useBulkLookup } from './use-bulk-lookup.ts';
import { useLinkedReceipt } from './use-linked-receipt.ts';
import { useSingleLookup } from './use-single-lookup.ts';

/** Look up one case, or several at once with Pro. Each of the two keeps its input and its answers. */
export function HomePage() {
  const { user } = useMe();
  const [view, setView] = useState('single');
  const upgrade = useUpgradePrompt();
  const single = useSingleLookup();
  const bulk = useBulkLookup(upgrade.ask);
  const linked = useLinkedReceipt(single.lookUp);

  const select = (wanted: string | null) => {
    if (wanted === 'bulk' && user?.tier !== 'pro') return upgrade.ask('Bulk Search');
    setView(wanted ?? 'single');
  };

  return (
    <div className="lookup-page">
      <PageHeading
        title="Immigration Case Status"
        subtitle="Track your immigration application status in real time"
      />
      <section className="card lookup-card" aria-labelledby="check-case-status">
        <h2 id="check-case-status">Check Case Status</h2>
        <Tabs
          id="lookup"
          activeKey={view}
          onSelect={select}
          variant="pills"
          justify
          className="segmented"
          transition={false}
          mountOnEnter
        >
          <Tab eventKey="single" title="Single Case">
            <SingleCaseForm initial={linked} pending={single.isPending} onLookUp={single.lookUp} />
          </Tab>
          <Tab eventKey="bulk" title="Bulk Search">
            <BulkSearchForm pending={bulk.isPending} onLookUp={bulk.lookUp} />
          </Tab>
        </Tabs>
      </section>
      {view === 'single' ? (
        <SingleResults lookup={single} onProNeeded={upgrade.ask} />
      ) : (
        <BulkSearchResults lookup={bulk} onProNeeded={upgrade.ask} />
      )}
      <DisclaimerFooter />
      <UpgradeDialog {...upgrade.dialog} />
    </div>
  );
}
