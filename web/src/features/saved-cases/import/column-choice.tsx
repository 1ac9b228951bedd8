import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { cleanCell, shorten } from './cells.ts';
import { COLUMN_KINDS, type ColumnKind, type ImportTable } from './guess-columns.ts';

const KIND_NAMES = {
  receipt: msg`Receipt number`,
  nickname: msg`Nickname`,
  tags: msg`Tags`,
  frequency: msg`Monitoring`,
  ignored: msg`Do not import`,
} as const;
const SAMPLE_ROWS = 3;

interface ColumnChoiceProps {
  table: ImportTable;
  kinds: readonly ColumnKind[];
  onChange: (kinds: ColumnKind[]) => void;
}

/** Renders the columns of a file with their first rows, a choice for each of what it is, and what is left out. */
export function ColumnChoice({ table, kinds, onChange }: ColumnChoiceProps) {
  const names = table.headings.map((heading, index) => shorten(heading, 60) || t`Column ${index + 1}`);
  const ignored = [
    ...names.filter((_, index) => kinds[index] === 'ignored'),
    ...(table.otherSheets ?? []).map((name) => t`sheet “${name}”`),
  ];
  return (
    <div className="import-columns">
      <table>
        <caption>
          <Trans>Columns</Trans>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t`Column in the file`}</th>
            <th scope="col">{t`First rows`}</th>
            <th scope="col">{t`Import as`}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place alone
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>
                {table.body.slice(0, SAMPLE_ROWS).map(({ line, cells }) => (
                  <span key={line} className="import-sample">
                    {shorten(cleanCell(cells[index] ?? ''), 40) || '–'}
                  </span>
                ))}
              </td>
              <td>
                <select
                  className="form-select form-select-sm"
                  aria-label={t`Import “${name}” as`}
                  value={kinds[index]}
                  onChange={({ currentTarget }) =>
                    onChange(
                      kinds.map((kind, at) =>
                        at === index
                          ? (COLUMN_KINDS.find((one) => one === currentTarget.value) ?? kind)
                          : kind,
                      ),
                    )
                  }
                >
                  {COLUMN_KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {i18n._(KIND_NAMES[kind])}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div role="status" className="import-name">
        {ignored.length > 0 && <p>{t`Not imported: ${ignored.join(', ')}`}</p>}
        {!kinds.includes('receipt') && (
          <p className="field-error">
            <Trans>Choose the column that has the receipt numbers.</Trans>
          </p>
        )}
      </div>
      {table.above.length > 0 && (
        <p>
          {t`Titles and headings, not imported: ${table.above.map(({ line }) => t`line ${line}`).join(', ')}`}
        </p>
      )}
    </div>
  );
}
