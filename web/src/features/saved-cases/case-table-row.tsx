import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import type { Cell, Row } from '@tanstack/react-table';
import { type FocusEvent, memo, type ReactNode, useContext } from 'react';
import { Icon } from '../../components/icon.tsx';
import { type CaseRow, type features, RowCommandContext } from './case-columns.tsx';
import { columnName } from './column-names.ts';

interface CaseRowProps {
  row: Row<typeof features, CaseRow>;
  data: CaseRow;
  index: number;
  isIndexed: boolean;
  isSelected: boolean;
  /** `isRange` selects the rows from the last one on, too. */
  onSelect: (one: SavedCase, isOn: boolean, isRange: boolean) => void;
  measure: ((element: Element | null) => void) | undefined;
  /** Columns that are not shown: with others a row is drawn again. */
  hidden: readonly string[];
  renderCell: (props: { cell: Cell<typeof features, CaseRow> }) => ReactNode;
}

/** Renders a row of the table of saved cases; it is drawn again only when its data change. */
export const CaseRowView = memo(
  function CaseRowView({
    row,
    data,
    index,
    isIndexed,
    isSelected,
    onSelect,
    measure,
    renderCell: Content,
  }: CaseRowProps) {
    const command = useContext(RowCommandContext);
    return (
      <tr
        ref={measure}
        data-index={index}
        aria-rowindex={isIndexed ? index + 2 : undefined}
        className={isSelected ? 'case-table-selected' : ''}
        onFocus={showBesideName}
      >
        <td className="case-table-select">
          <input
            type="checkbox"
            className="choice-input"
            aria-label={t`Select ${data.receiptNumber}`}
            checked={isSelected}
            onChange={({ currentTarget, nativeEvent }) =>
              onSelect(data, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </td>
        {row.getAllCells().map((cell) => {
          const { id } = cell.column;
          const Cell = id === 'nickname' ? 'th' : 'td';
          return (
            <Cell
              key={cell.id}
              scope={id === 'nickname' ? 'row' : undefined}
              data-column={id}
              data-label={columnName(id)}
            >
              <Content cell={cell} />
            </Cell>
          );
        })}
        <td className="case-table-menu">
          <button
            type="button"
            className="icon-button"
            aria-label={t`Actions for ${data.receiptNumber}`}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => command(data, 'menu', currentTarget)}
          >
            <Icon name="more" />
          </button>
        </td>
      </tr>
    );
  },
  (one, other) =>
    one.data === other.data &&
    one.hidden === other.hidden &&
    one.index === other.index &&
    one.isIndexed === other.isIndexed &&
    one.isSelected === other.isSelected &&
    one.onSelect === other.onSelect,
);

/** Scrolls the columns so that what got the focus is not behind the name of its row, which stays (WCAG 2.4.11). */
function showBesideName({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  const name = currentTarget.querySelector('[data-column="nickname"]');
  if (!name || target.closest('[data-column="nickname"], .case-table-select')) return;
  const hidden = name.getBoundingClientRect().right - target.getBoundingClientRect().left;
  if (hidden > 0) currentTarget.closest('.case-table-area')?.scrollBy({ left: -hidden, behavior: 'instant' });
}
