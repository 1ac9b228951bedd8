import { foldStatus } from '@casewatch/contracts/fold-status';
import { tagKey } from '@casewatch/contracts/tag-spelling';
import type { WorkspaceSummary } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ChangeEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { shownStatus } from '../../components/status-badge.tsx';
import {
  countFilters,
  type DUE_WITHIN,
  firstOrderOf,
  SORT_NAMES,
  SORTS,
  withoutFilters,
  withParameters,
  workspaceQueryOf,
} from './workspace-query.ts';

const SEARCH_AFTER_MS = 300;
const MONITORING = [
  ['', msg`Any monitoring`],
  ['any', msg`Monitored`],
  ['none', msg`Not monitored`],
  ['daily', msg`Daily`],
  ['weekly', msg`Weekly`],
  ['monthly', msg`Monthly`],
] as const;

const DUE = [
  ['', msg`Any date`],
  ['-1', msg`Passed`],
  ['7', msg`Within 7 days`],
  ['14', msg`Within 14 days`],
  ['30', msg`Within 30 days`],
] as const satisfies readonly (readonly ['' | (typeof DUE_WITHIN)[number], unknown])[];

interface WorkspaceFiltersProps {
  summary: WorkspaceSummary | null | undefined;
  /** What else is done with the whole list. */
  children: ReactNode;
}

/** Renders search, filters and order of the saved cases in one row; all of it is in the address. */
export function WorkspaceFilters({ summary, children }: WorkspaceFiltersProps) {
  const [parameters, setParameters] = useSearchParams();
  const toggle = useRef<HTMLButtonElement>(null);
  const fieldsId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const query = workspaceQueryOf(parameters);
  const applied = countFilters(parameters) - (query.search === undefined ? 0 : 1);
  const set = (changes: Parameters<typeof withParameters>[1]) =>
    setParameters((current) => withParameters(current, changes), { replace: true });
  const clear = () => {
    setParameters((current) => withoutFilters(current), { replace: true });
    toggle.current?.focus();
  };

  return (
    <>
      <div className="workspace-tools">
        <SearchField value={query.search ?? ''} onSearch={(search) => set({ search })} />
        <SelectField
          label={t`Sort by`}
          value={`${query.sort} ${query.order}`}
          options={SORTS.flatMap((sort) =>
            (['asc', 'desc'] as const).map((order) => [`${sort} ${order}`, sortWords(sort, order)] as const),
          )}
          onChange={({ currentTarget }) => {
            const [sort = '', order = ''] = currentTarget.value.split(' ');
            set({ sort, order });
          }}
        />
        <Check
          label={summary ? t`Needs action (${summary.needsAction})` : t`Needs action`}
          checked={query.needsAction ?? false}
          onChange={(isOn) => set({ needsAction: isOn ? 'true' : '' })}
        />
        <Button
          ref={toggle}
          aria-expanded={isOpen}
          aria-controls={fieldsId}
          onClick={() => setIsOpen((open) => !open)}
        >
          {applied === 0 ? t`Filters` : t`Filters (${applied} applied)`}
        </Button>
        {children}
      </div>
      <div className="workspace-filter-fields" id={fieldsId} hidden={!isOpen}>
        <FilterFields summary={summary} onSet={set} />
        {applied > 0 && (
          <Button onClick={clear}>
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </div>
    </>
  );
}

interface FilterFieldsProps {
  summary: WorkspaceSummary | null | undefined;
  onSet: (changes: Parameters<typeof withParameters>[1]) => void;
}

function FilterFields({ summary, onSet }: FilterFieldsProps) {
  const [parameters] = useSearchParams();
  const query = workspaceQueryOf(parameters);
  const field = (name: 'status' | 'form' | 'tag' | 'monitoring') => ({
    value: query[name] ?? '',
    onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => onSet({ [name]: currentTarget.value }),
  });
  return (
    <>
      <SelectField
        label={t`Status`}
        options={choices(
          t`Any status`,
          query.status,
          summary?.statuses,
          (status) => shownStatus({ status }).text,
          foldStatus,
        )}
        {...field('status')}
      />
      <SelectField
        label={t`Form`}
        options={choices(t`Any form`, query.form, summary?.forms)}
        {...field('form')}
      />
      <SelectField
        label={t`Tag`}
        options={choices(t`Any tag`, query.tag, summary?.tags, undefined, tagKey)}
        {...field('tag')}
      />
      <SelectField
        label={t`Monitoring`}
        options={MONITORING.map(([value, name]) => [value, i18n._(name)] as const)}
        {...field('monitoring')}
      />
      <SelectField
        label={t`Next date`}
        options={DUE.map(([value, name]) => [value, i18n._(name)] as const)}
        value={query.dateUntil === undefined ? '' : (parameters.get('dateUntil') ?? '')}
        onChange={({ currentTarget }) => onSet({ dateUntil: currentTarget.value })}
      />
      <div className="form-field">
        <label className="form-label" htmlFor="changed-since">
          <Trans>Changed since</Trans>
        </label>
        <input
          id="changed-since"
          type="date"
          className="form-control"
          value={parameters.get('changedSince') ?? ''}
          onChange={({ currentTarget }) => onSet({ changedSince: currentTarget.value })}
        />
      </div>
      <Check
        label={summary ? t`Archived (${summary.archived})` : t`Archived`}
        checked={query.archived ?? false}
        onChange={(isOn) => onSet({ archived: isOn ? 'true' : '' })}
      />
    </>
  );
}

function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const id = useId();
  const [draft, setDraft] = useState(value);
  const sent = useRef(value);
  const search = useRef<() => void>(undefined);
  search.current = () => {
    sent.current = draft.trim();
    onSearch(sent.current);
  };
  // The address may change by other ways: back, forward, and clearing the filters. What came from here is older than the draft.
  useLayoutEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setDraft(value);
  }, [value]);
  useEffect(() => {
    if (draft.trim() === value) return;
    const timer = setTimeout(() => search.current?.(), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, value]);
  return (
    <search className="form-field workspace-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search.current?.();
        }}
      >
        <label className="form-label" htmlFor={id}>
          <Trans>Search your cases</Trans>
        </label>
        <span className="workspace-search-box">
          <Icon name="search" />
          <input
            id={id}
            type="search"
            className="form-control"
            placeholder={t`Search cases`}
            autoComplete="off"
            maxLength={100}
            value={draft}
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          />
        </span>
      </form>
    </search>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="form-check workspace-check">
      <input
        type="checkbox"
        className="choice-input"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

function choices(
  any: string,
  chosen: string | undefined,
  facet: WorkspaceSummary['statuses'] | undefined,
  nameOf = (value: string) => value,
  /** What the spellings of one value have in common. */
  keyOf = (value: string) => value,
) {
  const known = (facet ?? []).map(({ value, count }) => {
    const isChosen = chosen !== undefined && keyOf(value) === keyOf(chosen);
    return [isChosen ? chosen : value, `${nameOf(value)} (${count})`] as const;
  });
  // The address may name a value that no case has now.
  const isKnown = chosen === undefined || known.some(([value]) => value === chosen);
  return [['', any] as const, ...(isKnown ? [] : [[chosen, nameOf(chosen)] as const]), ...known];
}

function sortWords(sort: (typeof SORTS)[number], order: 'asc' | 'desc'): string {
  const name = i18n._(SORT_NAMES[sort]);
  const isTime = firstOrderOf(sort) === 'desc';
  if (isTime) return order === 'desc' ? t`${name}, newest first` : t`${name}, oldest first`;
  if (sort === 'date') return order === 'asc' ? t`${name}, soonest first` : t`${name}, latest first`;
  return order === 'asc' ? t`${name}, A to Z` : t`${name}, Z to A`;
}
