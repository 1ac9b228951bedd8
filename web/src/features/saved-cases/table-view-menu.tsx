import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MenuButton } from '../../components/menu.tsx';
import { columnName, OPTIONAL_COLUMNS } from './column-names.ts';
import type { TableLook } from './use-table-look.ts';

interface TableViewMenuProps {
  look: TableLook;
  onChange: (change: Partial<TableLook>) => void;
}

/** Renders the choice of how dense the table is and which columns it has. */
export function TableViewMenu({ look, onChange }: TableViewMenuProps) {
  return (
    <MenuButton words={t`View`} menuLabel={t`View of the table`} role="group">
      {() => (
        <div className="table-view">
          <fieldset>
            <legend>
              <Trans>Rows</Trans>
            </legend>
            {[false, true].map((isCompact) => (
              <label key={String(isCompact)}>
                <input
                  type="radio"
                  className="choice-input"
                  name="density"
                  checked={look.isCompact === isCompact}
                  onChange={() => onChange({ isCompact })}
                />
                {isCompact ? t`Compact` : t`Comfortable`}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>
              <Trans>Columns</Trans>
            </legend>
            {OPTIONAL_COLUMNS.map((id) => (
              <label key={id}>
                <input
                  type="checkbox"
                  className="choice-input"
                  checked={!look.hidden.includes(id)}
                  onChange={({ currentTarget }) =>
                    onChange({
                      hidden: currentTarget.checked
                        ? look.hidden.filter((one) => one !== id)
                        : [...look.hidden, id],
                    })
                  }
                />
                {columnName(id)}
              </label>
            ))}
          </fieldset>
        </div>
      )}
    </MenuButton>
  );
}
