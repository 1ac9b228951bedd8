import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import type { Difference } from './use-merged-form.ts';

interface ConflictNoticeProps<Field extends string> {
  differences: readonly Difference<Field>[];
  labels: Readonly<Record<Field, string>>;
  onTake: (fields: readonly Field[]) => void;
}

/** Reports a concurrent change, with a way to take over what was saved, field by field. */
export function ConflictNotice<Field extends string>({
  differences,
  labels,
  onTake,
}: ConflictNoticeProps<Field>) {
  return (
    <div className="conflict" role="alert">
      <p>
        <Icon name="alert-triangle" />
        <span>
          <strong>Someone else changed this survey.</strong> Nothing you typed is lost.{' '}
          {differences.length === 0
            ? 'Save again to keep your version.'
            : 'Save again to keep your version, or use their changes:'}
        </span>
      </p>
      {differences.length > 0 && (
        <ul>
          {differences.map(({ field, newer }) => (
            <li key={field}>
              <span>
                {labels[field]}: <q>{newer}</q>
              </span>
              <Button onClick={() => onTake([field])}>
                Use theirs
                <span className="visually-hidden"> for {labels[field]}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {differences.length > 1 && (
        <Button onClick={() => onTake(differences.map(({ field }) => field))}>Use all of theirs</Button>
      )}
    </div>
  );
}
