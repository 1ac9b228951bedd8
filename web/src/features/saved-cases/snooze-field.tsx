import type { SavedCase } from '@casewatch/contracts/cases';
import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useChangeCase } from '../../api/saved-cases.ts';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { formatDay } from '../../lib/format-moment.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { useKeyboardDraft } from './use-keyboard-draft.ts';

const DAY_MS = 24 * 3_600_000;
/** For how many days alerts can be snoozed. */
export const SNOOZE_CHOICES = [
  [7, msg`For a week`],
  [30, msg`For 30 days`],
  [90, msg`For 90 days`],
] as const;

/** Returns when alerts come again; null: they do now. */
export function snoozeEnd(days: number): string | null {
  return days === 0 ? null : new Date(serverNowMs() + days * DAY_MS).toISOString();
}

interface SnoozeFieldProps {
  savedCase: SavedCase;
  /** A page has room for the label and a hint, a card for the label. */
  place: 'page' | 'card';
}

/** Chooses until when alerts of a saved case wait; the case is checked as before. */
export function SnoozeField({ savedCase, place }: SnoozeFieldProps) {
  const id = useId();
  const { receiptNumber, snoozedUntil } = savedCase;
  const online = useOnlineOnly();
  const { isSnoozed, shown, choose } = useSnooze(savedCase);
  const { draft, control } = useKeyboardDraft(String, (wanted) => void choose(wanted));
  return (
    <div className="monitoring">
      <label htmlFor={id}>
        {place === 'page' ? (
          <Trans>Snooze alerts</Trans>
        ) : (
          <Trans>
            Snooze alerts<span className="visually-hidden"> of {receiptNumber}</span>
          </Trans>
        )}
      </label>
      <select
        id={id}
        className="form-select"
        value={draft ?? shown}
        aria-describedby={`${id}-hint`}
        {...online.props}
        {...control}
      >
        <option value="0">{t`Don’t snooze`}</option>
        {isSnoozed && snoozedUntil && <option value="snoozed">{t`Until ${formatDay(snoozedUntil)}`}</option>}
        {SNOOZE_CHOICES.map(([days, name]) => (
          <option key={days} value={days}>
            {i18n._(name)}
          </option>
        ))}
      </select>
      {draft !== undefined && draft !== shown && (
        <p className="form-text" role="status">
          <Trans>Press Enter to save</Trans>
        </p>
      )}
      <p className={place === 'page' ? 'form-text' : 'visually-hidden'} id={`${id}-hint`}>
        <Trans>Emails and push messages wait until then, except those that need action.</Trans>
      </p>
    </div>
  );
}

/** Returns whether a case is snoozed, what to show of that, and what snoozes it for a number of days, or no more. */
export function useSnooze({ receiptNumber, snoozedUntil }: SavedCase) {
  const change = useChangeCase(receiptNumber);
  const toast = useToast();
  const report = useErrorToast();
  const online = useOnlineOnly();
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > serverNowMs();

  const [chosen, setChosen] = useState<string>();
  // What was chosen shows at once, and goes back when it could not be kept.
  const shown = chosen ?? (isSnoozed ? 'snoozed' : '0');
  const choose = async (wanted: string) => {
    if (online.isOffline || wanted === shown) return;
    const until = snoozeEnd(Number(wanted));
    setChosen(wanted);
    try {
      await change.mutateAsync({ snoozedUntil: until });
      toast({
        title: t`Updated`,
        description:
          until === null ? t`Alerts for this case are back on.` : t`Snoozed until ${formatDay(until)}.`,
      });
    } catch (error) {
      report(error, t`Failed to snooze this case`);
    }
    setChosen((now) => (now === wanted ? undefined : now));
  };
  return { isSnoozed, shown, choose };
}
