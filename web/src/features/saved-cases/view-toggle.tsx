import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import type { CaseView } from './use-case-view.ts';

const VIEWS = [
  ['cards', msg`Cards`, 'layers'],
  ['table', msg`Table`, 'file'],
] as const;

export function ViewToggle({ view, onChoose }: { view: CaseView; onChoose: (view: CaseView) => void }) {
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
