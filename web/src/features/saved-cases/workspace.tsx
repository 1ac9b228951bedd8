import type { SavedCase } from '@casewatch/contracts/cases';
import type { WorkspaceSummary } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useWatches } from '../../api/watches.ts';
import type { useSavedCasePages } from '../../api/workspace.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { UpgradeDialog, useUpgradePrompt } from '../../components/upgrade-dialog.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { BulkDock } from './bulk-dock.tsx';
import { BulkOutcomes, type BulkResult } from './bulk-outcomes.tsx';
import { MoreCases } from './more-cases.tsx';
import { SavedCaseList } from './saved-case-list.tsx';
import { TableViewMenu } from './table-view-menu.tsx';
import { useCaseChanges } from './use-case-changes.ts';
import { useCaseSelection } from './use-case-selection.ts';
import { type TableLook, useTableLook } from './use-table-look.ts';
import { WorkspaceFilters } from './workspace-filters.tsx';
import { countFilters, withoutFilters, withParameters, workspaceQueryOf } from './workspace-query.ts';

const CaseTable = lazy(async () => ({ default: (await import('./case-table.tsx')).CaseTable }));

/** Up to so many cases nothing is needed to find one. */
const FEW = 5;

interface WorkspaceProps {
  pages: ReturnType<typeof useSavedCasePages>;
  cases: readonly SavedCase[];
  /** How many cases fit the filters, also those that are not read yet. */
  matching: number;
  summary: WorkspaceSummary | null | undefined;
}

/** Renders the saved cases as cards or as a table, with what finds them and what is done with many at once. */
export function Workspace({ pages, cases, matching, summary }: WorkspaceProps) {
  const [parameters, setParameters] = useSearchParams();
  const [view, setView] = useCaseView();
  const [look, setLook] = useTableLook();
  const query = workspaceQueryOf(parameters);
  const upgrade = useUpgradePrompt();
  const selection = useCaseSelection(cases, query);
  const { selected, select } = selection;
  const [result, setResult] = useState<BulkResult>();
  const changes = useCaseChanges((sent, results) => {
    selection.followChanges(sent, results);
    // Also when the last change has been taken back.
    if (outcomes.current?.contains(document.activeElement)) focusCases();
    setResult(undefined);
  });
  const region = useRef<HTMLElement>(null);
  const outcomes = useRef<HTMLElement>(null);
  const isFiltered = countFilters(parameters) > 0;
  // When it is there: the bar that had the focus goes in the same render.
  useEffect(() => {
    if (result) outcomes.current?.focus({ preventScroll: true });
  }, [result]);
  const focusCases = () => region.current?.focus({ preventScroll: true });

  // A few cards are seen at a glance. Tools that were shown stay: who filters, or removes the sixth case, is in the middle of using them.
  const needsTools =
    view === 'table' ||
    isFiltered ||
    (!pages.isPlaceholderData && (matching > FEW || (summary?.archived ?? 0) > 0));
  const [hasTools, setHasTools] = useState(needsTools);
  if (needsTools && !hasTools) setHasTools(true);

  return (
    <>
      <WorkspaceTools
        areFew={!hasTools}
        summary={summary}
        view={view}
        onChooseView={setView}
        look={look}
        onChangeLook={setLook}
        cases={cases}
        onSelect={select}
      />
      {(selected.size > 0 || result) && (
        <BulkDock>
          {result && (
            <BulkOutcomes
              {...result}
              ref={outcomes}
              isBusy={changes.isPending}
              onClose={() => {
                setResult(undefined);
                focusCases();
              }}
            />
          )}
          {selected.size > 0 && (
            <BulkBar
              selected={selected}
              matching={matching}
              changes={changes}
              isSelecting={selection.isSelecting}
              tags={summary?.tags.map(({ value }) => value) ?? []}
              onSelectMatching={() => void selection.selectMatching()}
              onClear={() => {
                selection.clear();
                focusCases();
              }}
              onProNeeded={upgrade.ask}
              onDone={setResult}
            />
          )}
        </BulkDock>
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
              focusCases();
            }}
          />
        ) : (
          <ShownCases
            view={view}
            look={look}
            cases={cases}
            pages={pages}
            total={matching}
            selected={selected}
            onSelect={select}
            onProNeeded={upgrade.ask}
          />
        )}
      </section>
      <UpgradeDialog {...upgrade.dialog} />
    </>
  );
}

interface CasesProps {
  view: CaseView;
  look: TableLook;
  cases: readonly SavedCase[];
  onSelect: (some: readonly SavedCase[], isOn: boolean) => void;
}

interface WorkspaceToolsProps extends CasesProps {
  /** Nothing is needed to find one of them. */
  areFew: boolean;
  summary: WorkspaceProps['summary'];
  onChooseView: (view: CaseView) => void;
  onChangeLook: (change: Partial<TableLook>) => void;
}

function WorkspaceTools({ areFew, summary, view, look, cases, onSelect, ...on }: WorkspaceToolsProps) {
  const selectShown = (
    <button
      type="button"
      className={`btn btn-link btn-sm ${view === 'table' ? 'select-shown' : ''}`}
      onClick={() => onSelect(cases, true)}
    >
      <Trans>Select all shown</Trans>
    </button>
  );
  if (areFew) return cases.length > 1 && <div className="workspace-tools">{selectShown}</div>;
  return (
    <WorkspaceFilters summary={summary}>
      {view === 'table' && <TableViewMenu look={look} onChange={on.onChangeLook} />}
      {cases.length > 0 && selectShown}
      <ViewToggle view={view} onChoose={on.onChooseView} />
    </WorkspaceFilters>
  );
}

interface ShownCasesProps extends CasesProps {
  pages: WorkspaceProps['pages'];
  total: number;
  selected: ReadonlyMap<string, SavedCase>;
  onProNeeded: (feature: string) => void;
}

function ShownCases({ view, look, cases, pages, total, selected, onSelect, onProNeeded }: ShownCasesProps) {
  const [parameters, setParameters] = useSearchParams();
  const list = { watches: useWatches(cases), selected, onSelect };
  // Within the boundary of the table: while that is loaded nothing of it takes room, and every page would seem to be wanted.
  const more = <MoreCases pages={pages} shown={cases.length} total={total} />;
  if (view === 'cards') {
    return (
      <>
        <SavedCaseList savedCases={cases} {...list} onProNeeded={onProNeeded} />
        {more}
      </>
    );
  }
  return (
    <Suspense fallback={<Spinner label={t`Loading the table...`} />}>
      <CaseTable
        // Its rows are drawn again only when their data change.
        key={i18n.locale}
        cases={cases}
        total={total}
        look={look}
        query={workspaceQueryOf(parameters)}
        onSort={(sort, order) =>
          setParameters((current) => withParameters(current, { sort, order }), { replace: true })
        }
        {...list}
      />
      {more}
    </Suspense>
  );
}

function NothingMatches({ isFiltered, onShow }: { isFiltered: boolean; onShow: () => void }) {
  return (
    <div className="card saved-cases-message">
      <h2>{isFiltered ? t`No cases match` : t`All of your cases are in the archive`}</h2>
      {isFiltered && <p>{t`Try another search, or show all of your cases.`}</p>}
      <Button look="primary" onClick={onShow}>
        {isFiltered ? t`Show all cases` : t`Show the archive`}
      </Button>
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

const VIEW_KEY = 'casewatch-saved-cases-view';
type CaseView = 'cards' | 'table';

/** Returns whether the cases are shown as cards or as a table, remembered on this device. */
function useCaseView(): [CaseView, (view: CaseView) => void] {
  const [view, setView] = useState<CaseView>(readView);
  const choose = (wanted: CaseView) => {
    setView(wanted);
    try {
      localStorage.setItem(VIEW_KEY, wanted);
    } catch {
      // Storage may be off or full; the choice then lasts as long as the page.
    }
  };
  return [view, choose];
}

function readView(): CaseView {
  try {
    return localStorage.getItem(VIEW_KEY) === 'table' ? 'table' : 'cards';
  } catch {
    return 'cards';
  }
}
