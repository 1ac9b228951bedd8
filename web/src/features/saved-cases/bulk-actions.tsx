import {
  MONITORING_FREQUENCIES,
  type MonitoringFrequency,
  TAG_MAX_LENGTH,
} from '@casewatch/contracts/limits';
import { distinctTags } from '@casewatch/contracts/tag-spelling';
import type { BulkChange } from '@casewatch/contracts/workspace';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useId, useState } from 'react';
import { useMe } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { MenuButton, MenuItem } from '../../components/menu.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { FREQUENCY_NAMES } from './monitoring-field.tsx';
import { SNOOZE_CHOICES, snoozeEnd } from './snooze-field.tsx';

interface BulkActionsProps {
  receiptNumbers: string[];
  areArchived: boolean;
  /** While an action is in progress the buttons rest. */
  isPending: boolean;
  tags: readonly string[];
  onChange: (change: BulkChange, title: string) => void;
  onCheck: () => void;
  onExport: () => void;
  onRemove: () => void;
  onProNeeded: (feature: string) => void;
}

/** Renders the actions on the selected cases. */
export function BulkActions({
  receiptNumbers,
  areArchived,
  isPending,
  tags,
  onChange,
  onCheck,
  onExport,
  onRemove,
  onProNeeded,
}: BulkActionsProps) {
  const { user } = useMe();
  const isPro = user?.tier === 'pro';
  const setFrequency = (monitoringFrequency: MonitoringFrequency) => {
    if (monitoringFrequency !== 'none' && !isPro) return onProNeeded(t`Automated Monitoring`);
    onChange({ action: 'setFrequency', receiptNumbers, monitoringFrequency }, t`Monitoring changed`);
  };
  const snooze = (days: number) => {
    const snoozedUntil = snoozeEnd(days);
    const title = snoozedUntil === null ? t`Alerts are back on` : t`Snoozed until ${formatDay(snoozedUntil)}`;
    onChange({ action: 'snooze', receiptNumbers, snoozedUntil }, title);
  };

  const choices = (
    words: string,
    menuLabel: string,
    items: readonly (readonly [name: string, run: () => void])[],
  ) => (
    <MenuButton words={words} menuLabel={menuLabel} isDisabled={isPending}>
      {(close) =>
        items.map(([name, run]) => (
          <MenuItem
            key={name}
            onChoose={() => {
              close();
              run();
            }}
          >
            {name}
          </MenuItem>
        ))
      }
    </MenuButton>
  );
  const archive = () =>
    onChange(
      { action: areArchived ? 'unarchive' : 'archive', receiptNumbers },
      areArchived ? t`Moved out of the archive` : t`Archived`,
    );

  return (
    <div className="bulk-actions">
      <Button aria-disabled={isPending} onClick={onCheck}>
        <Trans>Check now</Trans>
      </Button>
      {choices(
        t`Monitor`,
        t`Monitoring of the selected cases`,
        MONITORING_FREQUENCIES.map((one) => [i18n._(FREQUENCY_NAMES[one]), () => setFrequency(one)]),
      )}
      {choices(t`Snooze`, t`Snooze alerts of the selected cases, except those that need action`, [
        ...SNOOZE_CHOICES.map(([days, name]) => [i18n._(name), () => snooze(days)] as const),
        [t`Don’t snooze`, () => snooze(0)],
      ])}
      <MenuButton words={t`Tag`} menuLabel={t`Tag the selected cases`} role="group" isDisabled={isPending}>
        {(close) => (
          <TagAction
            tags={tags}
            onAdd={(added) => {
              close();
              onChange({ action: 'addTags', receiptNumbers, tags: added }, t`Tag added`);
            }}
            onRemove={(removed) => {
              close();
              onChange({ action: 'removeTags', receiptNumbers, tags: removed }, t`Tag removed`);
            }}
          />
        )}
      </MenuButton>
      {choices(t`More`, t`More for the selected cases`, [
        [t`Export selected`, () => (isPro ? onExport() : onProNeeded(t`Export of case data`))],
        [areArchived ? t`Unarchive` : t`Archive`, archive],
        [t`Remove`, onRemove],
      ])}
    </div>
  );
}

interface TagActionProps {
  tags: readonly string[];
  onAdd: (tags: string[]) => void;
  onRemove: (tags: string[]) => void;
}

/** A tag that is typed, or one that cases have already. */
function TagAction({ tags, onAdd, onRemove }: TagActionProps) {
  const id = useId();
  const [tag, setTag] = useState('');
  // As on a case: a tag has no comma, since its editor and files part tags by them.
  const act = (run: (tags: string[]) => void) => {
    const typed = distinctTags(tag.split(','));
    if (typed.length > 0) run(typed);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    act(onAdd);
  };
  return (
    <form className="bulk-tag" onSubmit={add}>
      <label className="visually-hidden" htmlFor={id}>
        <Trans>Tag for the selected cases</Trans>
      </label>
      <input
        id={id}
        className="form-control form-control-sm"
        placeholder={t`Tag`}
        autoComplete="off"
        maxLength={TAG_MAX_LENGTH}
        value={tag}
        onChange={({ currentTarget }) => setTag(currentTarget.value)}
      />
      <div className="bulk-tag-buttons">
        <button type="submit" className="btn btn-primary btn-sm">
          <Trans>Add tag</Trans>
        </button>
        <Button onClick={() => act(onRemove)}>
          <Trans>Remove tag</Trans>
        </Button>
      </div>
      {tags.length > 0 && (
        <ul className="bulk-tags" aria-label={t`Tags in use`}>
          {tags.map((one) => (
            <li key={one}>
              <button type="button" className="tag" onClick={() => onAdd([one])}>
                <span className="visually-hidden">
                  <Trans>Add</Trans>{' '}
                </span>
                {one}
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
