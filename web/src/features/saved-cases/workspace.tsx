import type { SavedCase } from '@casewatch/contracts/cases';
import type { BulkOutcome, WorkspaceSummary } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { applied } from '../../api/offline-changes.ts';
import { useLatestSignal } from '../../api/use-latest-signal.ts';
import { useWaitingChanges } from '../../api/waiting-changes.ts';
import { useWatches } from '../../api/watches.ts';
import { readAllMatching, type useSavedCasePages } from '../../api/workspace.ts';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { UpgradeDialog } from '../../components/upgrade-dialog.tsx';
import { useUpgradePrompt } from '../../lib/use-upgrade-prompt.ts';
import { BulkBar } from './bulk-bar.tsx';
import { BulkOutcomes } from './bulk-outcomes.tsx';
import { MoreCases } from './more-cases.tsx';
import { SavedCaseList } from './saved-case-list.tsx';
import { afterChanges, takesOffList } from './undo-change.ts';
import { countCases, useCaseChanges } from './use-case-changes.ts';
import { type CaseView, useCaseView } from './use-case-view.ts';
import { WorkspaceFilters } from './workspace-filters.tsx';
import { countFilters, withoutFilters, withParameters, workspaceQueryOf } from './workspace-query.ts';

const CaseTable = lazy(async () => ({ default: (await import('./case-table.tsx')).CaseTable }));
const NONE: ReadonlyMap<string, SavedCase> = new Map();

interface WorkspaceProps {
  pages: ReturnType<typeof useSavedCasePages>;
  summary: WorkspaceSummary | null | undefined;
}

/** Renders the saved cases as cards or as a table, with what finds them and what is done with many at once. */
export function Workspace({ pages, summary }: WorkspaceProps) {
  const [parameters, setParameters] = useSearchParams();
  const [view, setView] = useCaseView();
  const query = workspaceQueryOf(parameters);
  const { changes: waiting } = useWaitingChanges();
  const read = useMemo(() => pages.data?.pages.flatMap((page) => page.cases) ?? [], [pages.data]);
  const cases = useMemo(() => applied(read, waiting), [read, waiting]);
  const watches = useWatches(cases);
  const upgrade = useUpgradePrompt();
  const toast = useToast();
  const [selected, setSelected] = useState(NONE);
  // A selected case that is shown may have been changed on its card, or elsewhere.
  useEffect(() => {
    const shown = new Map(cases.map((one) => [one.receiptNumber, one]));
    setSelected((now) => new Map([...now].map(([number, one]) => [number, shown.get(number) ?? one])));
  }, [cases]);
  const [result, setResult] = useState<{ title: string; results: BulkOutcome[] }>();
  const region = useRef<HTMLElement>(null);
  const outcomes = useRef<HTMLElement>(null);
  const isFiltered = countFilters(parameters) > 0;
  // The server counts cases whose removal waits to be sent.
  const matching = (summary?.matching ?? read.length) - (read.length - cases.length);
  // When it is there: the bar that had the focus goes in the same render.
  useEffect(() => {
    if (result) outcomes.current?.focus();
  }, [result]);

  const select = useCallback((some: readonly SavedCase[], isOn: boolean) => {
    setSelected((before) => {
      const after = new Map(before);
      for (const one of some) {
        if (isOn) after.set(one.receiptNumber, one);
        else after.delete(one.receiptNumber);
      }
      return after;
    });
  }, []);
  const nextSignal = useLatestSignal();
  const [isSelecting, setIsSelecting] = useState(false);
  const giveUpSelecting = useCallback(() => {
    nextSignal();
    setIsSelecting(false);
  }, [nextSignal]);
  const asked = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what fitted other filters is not selected.
  useEffect(() => giveUpSelecting, [asked]);
  const selectMatching = async () => {
    const signal = nextSignal();
    setIsSelecting(true);
    try {
      const matches = await readAllMatching(query, signal);
      if (signal.aborted) return;
      select(matches, true);
    } catch (error) {
      if (signal.aborted) return;
      toast({
        title: t`Error`,
        description: t`The cases could not be selected. Try again.`,
        variant: 'destructive',
        error,
      });
    }
    setIsSelecting(false);
  };
  const changes = useCaseChanges((sent, results) => {
    setSelected((now) => afterChanges(now, sent, results));
    if (sent.some(takesOffList)) giveUpSelecting();
  });
  const clear = () => {
    giveUpSelecting();
    setSelected(NONE);
    region.current?.focus();
  };

  // Within the boundary of the table: while that is loaded nothing of it takes room, and every page would seem to be wanted.
  const more = <MoreCases pages={pages} shown={cases.length} total={matching} />;

  return (
    <>
      <WorkspaceFilters summary={summary} />
      <div className="workspace-head">
        <p role="status">
          {pages.isPlaceholderData
            ? t`Searching...`
            : countCases(matching, query.archived ? 'in the archive' : '')}
        </p>
        {cases.length > 0 && (
          <button
            type="button"
            className={`btn btn-link btn-sm ${view === 'table' ? 'select-shown' : ''}`}
            onClick={() => select(cases, true)}
          >
            <Trans>Select all shown</Trans>
          </button>
        )}
        <ViewToggle view={view} onChoose={setView} />
      </div>
      {selected.size > 0 && (
        <BulkBar
          selected={selected}
          matching={matching}
          changes={changes}
          isSelecting={isSelecting}
          onSelectMatching={() => void selectMatching()}
          onClear={clear}
          onProNeeded={upgrade.ask}
          onDone={(results, title) => setResult({ title, results })}
        />
      )}
      {result && (
        <BulkOutcomes
          {...result}
          ref={outcomes}
          onClose={() => {
            setResult(undefined);
            region.current?.focus();
          }}
        />
      )}
      <section
        ref={region}
        tabIndex={-1}
        className="workspace-cases"
        aria-label={t`Cases`}
        aria-busy={pages.isPlaceholderData}
      >
        {cases.length === 0 && (isFiltered || (summary?.archived ?? 0) > 0) ? (
          <NothingMatches
            isFiltered={isFiltered}
            onShow={() => {
              const show = isFiltered ? withoutFilters : toArchive;
              setParameters((current) => show(current), { replace: true });
              region.current?.focus();
            }}
          />
        ) : view === 'table' ? (
          <Suspense fallback={<Spinner label={t`Loading the table...`} />}>
            <CaseTable
              // Its rows are drawn again only when their data change.
              key={i18n.locale}
              cases={cases}
              total={matching}
              query={query}
              onSort={(sort, order) =>
                setParameters((current) => withParameters(current, { sort, order }), { replace: true })
              }
              watches={watches}
              selected={selected}
              onSelect={select}
            />
            {more}
          </Suspense>
        ) : (
          <>
            <SavedCaseList
              savedCases={cases}
              watches={watches}
              selected={selected}
              onSelect={select}
              onProNeeded={upgrade.ask}
            />
            {more}
          </>
        )}
      </section>
      <UpgradeDialog {...upgrade.dialog} />
    </>
  );
}

function NothingMatches({ isFiltered, onShow }: { isFiltered: boolean; onShow: () => void }) {
  return (
    <div className="card saved-cases-message">
      <h2>{isFiltered ? t`No saved case fits` : t`All of your cases are in the archive`}</h2>
      {isFiltered && <p>{t`Try another search, or show all of your cases.`}</p>}
      <button type="button" className="btn btn-primary" onClick={onShow}>
        {isFiltered ? t`Show all cases` : t`Show the archive`}
      </button>
    </div>
  );
}

const toArchive = (parameters: URLSearchParams) => withParameters(parameters, { archived: 'true' });

const VIEWS = [
  ['cards', msg`Cards`, 'layers'],
  ['table', msg`Table`, 'file'],
] as const;

function ViewToggle({ view, onChoose }: { view: CaseView; onChoose: (view: CaseView) => void }) {
  return (
    <fieldset className="view-toggle">
      <legend className="visually-hidden">
        <Trans>Show the cases as</Trans>
      </legend>
      {VIEWS.map(([value, name, icon]) => (
        <button key={value} type="button" aria-pressed={view === value} onClick={() => onChoose(value)}>
          <Icon name={icon} size={16} />
          {i18n._(name)}
        </button>
      ))}
    </fieldset>
  );
}
