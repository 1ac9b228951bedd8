import type { SavedCase } from '@casewatch/contracts/cases';
import { useId } from 'react';
import { useChangeCase } from '../../api/saved-cases.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { formatDay } from '../../lib/format-moment.ts';

const DAY_MS = 24 * 3_600_000;
const CHOICES = [
  [7, 'For a week'],
  [30, 'For 30 days'],
  [90, 'For 90 days'],
] as const;

/** Until when alerts of a saved case wait; the case is checked as before. */
export function SnoozeField({ savedCase: { receiptNumber, snoozedUntil } }: { savedCase: SavedCase }) {
  const id = useId();
  const change = useChangeCase();
  const toast = useToast();
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();

  const choose = async (days: number) => {
    const until = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    try {
      await change.mutateAsync({ receiptNumber, snoozedUntil: until });
      toast({
        title: 'Updated',
        description:
          until === null ? 'Alerts of this case come again.' : `Snoozed until ${formatDay(until)}.`,
      });
    } catch (error) {
      toast({ title: 'Error', description: 'Failed to snooze this case', variant: 'destructive', error });
    }
  };

  return (
    <div className="monitoring">
      <label htmlFor={id}>Snooze alerts</label>
      <select
        id={id}
        className="form-select"
        value={isSnoozed ? 'snoozed' : '0'}
        aria-describedby={`${id}-hint`}
        onChange={(event) => void choose(Number(event.currentTarget.value))}
      >
        <option value="0">Not snoozed</option>
        {isSnoozed && <option value="snoozed">Until {formatDay(snoozedUntil)}</option>}
        {CHOICES.map(([days, name]) => (
          <option key={days} value={days}>
            {name}
          </option>
        ))}
      </select>
      <p className="form-text" id={`${id}-hint`}>
        E-mails and push messages wait until then, except those that need action.
      </p>
    </div>
  );
}
