import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { bulkFeature } from './use-bulk-lookup.ts';
import './lookup.scss';
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react';
import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { useMe } from '../../api/session.ts';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { UpgradeDialog, useUpgradePrompt } from '../../components/upgrade-dialog.tsx';
import { useIsMobile } from '../layout/use-sidebar.ts';
import { RecentLookups } from './recent-lookups.tsx';
import { SingleCaseForm } from './single-case-form.tsx';
import { SingleResults } from './single-results.tsx';
import { useBulkLookup } from './use-bulk-lookup.ts';
import { useLookupAddress } from './use-lookup-address.ts';
import { type SingleLookup, useSingleLookup } from './use-single-lookup.ts';

// Few people have Pro, and no account begins with it.
const BulkSearchForm = lazy(async () => ({
  default: (await import('./bulk-search-form.tsx')).BulkSearchForm,
}));
const BulkSearchResults = lazy(async () => ({
  default: (await import('./bulk-search-results.tsx')).BulkSearchResults,
}));

/** Looks up one case, or several at once with Pro. Each of the two keeps its input and, in the address, its answers. */
export function HomePage() {
  const { user } = useMe();
  const upgrade = useUpgradePrompt();
  const address = useLookupAddress();
  const single = useSingleLookup(address);
  const bulk = useBulkLookup(address, upgrade.ask);
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const results = useRef<HTMLElement>(null);
  const isPro = user?.tier === 'pro';
  const expectAnswer = useAnswerInView(results, single);
  const view = isPro ? address.view : 'single';

  const select = (wanted: string | null) => {
    if (wanted === 'bulk' && !isPro) return upgrade.ask(bulkFeature());
    address.show(wanted === 'bulk' ? 'bulk' : 'single');
  };
  const focusResults = () => results.current?.focus({ preventScroll: true });

  return (
    <div className="lookup-page">
      <PageHeading
        title={t`Immigration Case Status`}
        subtitle={t`Track your immigration application status in real time`}
      />
      <section className="card lookup-card" aria-labelledby="check-case-status">
        <h2 id="check-case-status">
          <Trans>Check Case Status</Trans>
        </h2>
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
          <Tab eventKey="single" title={t`Single Case`}>
            <SingleCaseForm
              ref={field}
              given={address.single}
              pending={single.isPending}
              onLookUp={(receiptNumber) => {
                expectAnswer();
                single.lookUp(receiptNumber);
              }}
              onInvalid={() => address.clear('single', false)}
              onSeveral={(found) => (isPro ? address.prepareBulk(found) : upgrade.ask(bulkFeature()))}
              onButtonRemoved={focusResults}
            />
            <RecentLookups
              userId={user?.id ?? ''}
              result={single.result}
              onCleared={() => field.current?.focus()}
            />
          </Tab>
          <Tab eventKey="bulk" title={t`Bulk Search`}>
            <Suspense fallback={<Spinner />}>
              <BulkSearchForm
                ref={box}
                given={address.bulk}
                pending={bulk.isPending}
                onLookUp={bulk.lookUp}
                onButtonRemoved={focusResults}
              />
            </Suspense>
          </Tab>
        </Tabs>
      </section>
      {view === 'single' ? (
        <SingleResults
          ref={results}
          lookup={single}
          onCancelled={() => field.current?.focus()}
          onProNeeded={upgrade.ask}
        />
      ) : (
        <Suspense fallback={null}>
          <BulkSearchResults
            ref={results}
            lookup={bulk}
            onCancelled={() => box.current?.focus()}
            onProNeeded={upgrade.ask}
          />
        </Suspense>
      )}
      <DisclaimerFooter />
      <UpgradeDialog {...upgrade.dialog} />
    </div>
  );
}

/**
 * On a phone, scrolls to the answer once it is there, so that it begins beneath the header. Returns what says that one has been
 * asked for: what is read again by itself moves nothing.
 */
function useAnswerInView(
  results: RefObject<HTMLElement | null>,
  { isPending, result, failure }: SingleLookup,
) {
  const isExpected = useRef(false);
  const isPhone = useIsMobile();
  const isAnswered = !isPending && (result ?? failure) !== undefined;
  useEffect(() => {
    if (!isAnswered || !isExpected.current) return;
    isExpected.current = false;
    if (isPhone) results.current?.scrollIntoView({ behavior: 'instant' });
  }, [isAnswered, isPhone, results]);
  return () => {
    isExpected.current = true;
  };
}
