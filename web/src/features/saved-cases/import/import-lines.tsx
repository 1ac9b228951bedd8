import { plural, t } from '@lingui/core/macro';
import { isTrouble, type LineOutcomes, wordsOf } from './import-words.ts';
import type { ImportLine } from './plan-import.ts';

const SHOWN_MAX = 200;

/** Renders what will become of each line, or what became of it; what needs a look comes first. */
export function ImportLines({ lines, known }: { lines: readonly ImportLine[]; known: LineOutcomes }) {
  const rank = (line: ImportLine) => (isTrouble(line, known) ? 0 : line.note || line.fate !== 'new' ? 1 : 2);
  const sorted = [...lines.entries()].sort(([, one], [, other]) => rank(one) - rank(other));
  const others = lines.length - SHOWN_MAX;
  return (
    <div className="import-preview">
      <table>
        <caption className="visually-hidden">
          {known.hasBegun ? t`What happened to each line` : t`What will happen to each line`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t`Line`}</th>
            <th scope="col">{t`Receipt number`}</th>
            <th scope="col">{known.hasBegun ? t`What happened` : t`What will happen`}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, SHOWN_MAX).map(([nth, line]) => (
            <tr key={nth} data-trouble={isTrouble(line, known) || undefined}>
              <td>{line.line}</td>
              <td className="receipt-number">{line.receiptNumber}</td>
              <td>{wordsOf(line, known)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && (
        <p>
          {known.hasBegun
            ? plural(others, {
                one: 'and # more line, in the summary',
                other: 'and # more lines, in the summary',
              })
            : plural(others, { one: 'and # more line', other: 'and # more lines' })}
        </p>
      )}
    </div>
  );
}
