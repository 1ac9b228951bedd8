import './saved-cases.scss';
import './workspace.scss';
import './print.scss';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useOffline } from '../../api/offline.ts';
import { applied } from '../../api/offline-changes.ts';
import { retryAdvice } from '../../api/retry-advice.ts';
import { useMe } from '../../api/session.ts';
import { useWaitingChanges } from '../../api/waiting-changes.ts';
import { useSavedCasePages } from '../../api/workspace.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PrintedBy } from '../../components/printed-by.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { PlanEndWarning } from '../billing/plan-end-warning.tsx';
import { RemovedCasesDialog } from './removed-cases-dialog.tsx';
import { countCases } from './use-case-changes.ts';
import { Workspace } from './workspace.tsx';
import { countFilters, workspaceQueryOf } from './workspace-query.ts';

const ExportDialog = lazy(async () => ({
  default: (await import('../exports/export-dialog.tsx')).ExportDialog,
}));
const ImportDialog = lazy(async () => ({
  default: (await import('./import/import-dialog.tsx')).ImportDialog,
}));

/** Renders the saved cases of the signed-in user. */
export function SavedCasesPage() {
  const [parameters] = useSearchParams();
  const pages = useSavedCasePages(workspaceQueryOf(parameters));
  const { user } = useMe();
  const summary = pages.data?.pages[0]?.summary;
  const { changes: waiting } = useWaitingChanges();
  const read = useMemo(() => pages.data?.pages.flatMap((page) => page.cases) ?? [], [pages.data]);
  const cases = useMemo(() => applied(read, waiting), [read, waiting]);
  const count = cases.length;
  // The server counts cases whose removal waits to be sent.
  const matching = (summary?.matching ?? read.length) - (read.length - count);
  // What is shown may belong to the filters of before.
  const isEmpty =
    !pages.isPlaceholderData &&
    !pages.hasNextPage &&
    count === 0 &&
    summary?.archived === 0 &&
    countFilters(parameters) === 0;
  const hadCases = useRef(false);
  useEffect(() => {
    if (count > 0) hadCases.current = true;
  }, [count]);
  const retry = () => {
    // The button goes with the notice.
    document.querySelector<HTMLElement>('#main h1')?.focus();
    void pages.refetch();
  };
  return (
    <div className="saved-cases-page">
      <PageHeading
        title={t`Saved Cases`}
        subtitle={<CaseCount pages={pages} isEmpty={isEmpty} matching={matching} />}
        actions={pages.data && <PageActions canExport={user?.tier === 'pro' && !isEmpty} />}
      />
      <PrintedBy />
      {pages.data ? (
        isEmpty ? (
          <NoSavedCases takesFocus={hadCases.current} />
        ) : (
          <>
            <PlanEndWarning />
            <Workspace pages={pages} cases={cases} matching={matching} summary={summary} />
          </>
        )
      ) : pages.isFetching ? (
        <Spinner label={t`Loading saved cases...`} />
      ) : (
        <LoadFailure className="card saved-cases-message" error={pages.error} onRetry={retry}>
          <h2>
            <Trans>Your saved cases could not be loaded</Trans>
          </h2>
          <p>
            <Trans>Your cases are safe.</Trans> {retryAdvice(pages.error)}
          </p>
        </LoadFailure>
      )}
    </div>
  );
}

interface CaseCountProps {
  pages: ReturnType<typeof useSavedCasePages>;
  isEmpty: boolean;
  matching: number;
}

function CaseCount({ pages, isEmpty, matching }: CaseCountProps) {
  const [parameters] = useSearchParams();
  const isArchive = workspaceQueryOf(parameters).archived === true;
  return (
    <span role="status">
      {!pages.data || isEmpty
        ? t`The cases you follow`
        : pages.isPlaceholderData
          ? t`Searching...`
          : countCases(matching, isArchive ? 'in the archive' : '')}
    </span>
  );
}

function PageActions({ canExport }: { canExport: boolean }) {
  const [open, setOpen] = useState<'removed' | 'import' | 'export'>();
  const close = () => setOpen(undefined);
  const online = useOnlineOnly();
  const show = (dialog: typeof open) => !online.isOffline && setOpen(dialog);
  return (
    <>
      <Button {...online.props} onClick={() => show('removed')}>
        <Trans>Recently removed</Trans>
      </Button>
      <Button {...online.props} onClick={() => show('import')}>
        <Trans>Import cases</Trans>
      </Button>
      {canExport && (
        <Button {...online.props} onClick={() => show('export')}>
          <Trans>Export</Trans>
        </Button>
      )}
      <RemovedCasesDialog show={open === 'removed'} onHide={close} />
      <Suspense fallback={null}>
        {open === 'import' && <ImportDialog onHide={close} />}
        {open === 'export' && <ExportDialog onHide={close} />}
      </Suspense>
    </>
  );
}

/** `takesFocus` when the last case was just removed, and the focus with it. */
function NoSavedCases({ takesFocus }: { takesFocus: boolean }) {
  const isOffline = useOffline();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) card.current?.focus();
  }, [takesFocus]);
  return (
    <div className="card saved-cases-message" ref={card} tabIndex={-1}>
      <Icon name="bookmark" size={32} />
      <h2>
        <Trans>No saved cases yet</Trans>
      </h2>
      {isOffline ? (
        <p>
          <Trans>You are offline. Once you are connected again, you can search for a case and save it.</Trans>
        </p>
      ) : (
        <>
          <p>
            <Trans>Search for a case and save it to find it here.</Trans>
          </p>
          <Link className="btn btn-primary" to="/">
            <Trans>Search for a case</Trans>
          </Link>
        </>
      )}
    </div>
  );
}
