import { Icon } from '../../components/icon.tsx';
import type { CaseView } from './use-case-view.ts';

const VIEWS = [
  ['cards', 'Cards', 'layers'],
  ['table', 'Table', 'file'],
] as const;

export function ViewToggle({ view, onChoose }: { view: CaseView; onChoose: (view: CaseView) => void }) {
  return (
    <fieldset className="view-toggle">
      <legend className="visually-hidden">Show the cases as</legend>
      {VIEWS.map(([value, name, icon]) => (
        <button key={value} type="button" aria-pressed={view === value} onClick={() => onChoose(value)}>
          <Icon name={icon} size={16} />
          {name}
        </button>
      ))}
    </fieldset>
  );
}
