import type { CaseDate } from '@casewatch/contracts/case-dates';
import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { type DateDraft, draftOf, useChangeDate } from '../../api/case-dates.ts';
import { Button } from '../../components/button.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { dateText } from '../../lib/case-date-words.ts';
import { useUpdateToast } from '../saved-cases/use-update-toast.ts';
import { CaseDateForm, newDraft } from './case-date-form.tsx';

interface CaseDatesProps {
  receiptNumber: string;
  /** Undefined while the case is not saved, or not known to be: the room is kept, so that nothing moves. */
  savedCase: SavedCase | undefined;
  isUnsaved: boolean;
  asks: boolean;
}

/** Renders the dates that a person entered for a saved case, and asks for one where the status needs action and none is open. */
export function CaseDates({ receiptNumber, savedCase, isUnsaved, asks }: CaseDatesProps) {
  const dates = savedCase?.dates ?? [];
  const [draft, setDraft] = useState<DateDraft>();
  const change = useChangeDate(receiptNumber);
  const told = useUpdateToast();
  const online = useOnlineOnly();
  const section = useRef<HTMLElement>(null);
  const hasOpen = dates.some(({ doneAt }) => doneAt === null);

  async function send(wanted: DateDraft & { removed?: true }, undo?: () => void): Promise<boolean> {
    if (online.isOffline || change.isPending) return false;
    try {
      await change.mutateAsync(wanted);
    } catch (error) {
      told.failed(error, receiptNumber);
      return false;
    }
    told.updated(undo);
    return true;
  }
  const backTo = (date: CaseDate) => () => void send(draftOf(date));
  const close = () => {
    setDraft(undefined);
    section.current?.focus();
  };

  return (
    <section
      className="card case-section case-dates"
      aria-labelledby="case-dates"
      ref={section}
      tabIndex={-1}
    >
      <h2 id="case-dates">
        <Trans>Dates</Trans>
      </h2>
      {savedCase && asks && !hasOpen && !draft && (
        <p>
          <strong>{t`What date is printed on the notice?`}</strong>
        </p>
      )}
      {dates.length > 0 && (
        <ul>
          {dates.map((date) => {
            const text = dateText(date.kind, date.day);
            const isDone = date.doneAt !== null;
            const act = (wanted: DateDraft & { removed?: true }) => void send(wanted, backTo(date));
            return (
              <li key={date.id}>
                <p>
                  <strong>{text}</strong>
                  {isDone && ` (${t`Done`})`}
                </p>
                {date.label && <p>{date.label}</p>}
                <div className="case-dates-actions">
                  <Button {...online.props} onClick={() => act({ ...draftOf(date), done: !isDone })}>
                    {isDone ? t`Not done` : t`Done`}
                    <span className="visually-hidden">: {text}</span>
                  </Button>
                  <Button {...online.props} onClick={() => !online.isOffline && setDraft(draftOf(date))}>
                    {t`Edit`}
                    <span className="visually-hidden">: {text}</span>
                  </Button>
                  <Button
                    {...online.props}
                    onClick={() => {
                      // The button goes with its date.
                      section.current?.focus();
                      act({ ...draftOf(date), removed: true });
                    }}
                  >
                    {t`Remove`}
                    <span className="visually-hidden">: {text}</span>
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
      )}
      {draft && savedCase ? (
        <CaseDateForm
          key={draft.id}
          draft={draft}
          isSaving={change.isPending}
          onSave={async (wanted) => {
            if (await send(wanted)) close();
          }}
          onCancel={close}
        />
      ) : (
        <div>
          {isUnsaved ? (
            <Trans>Save this case to enter the dates on its notices.</Trans>
          ) : (
            <Button
              aria-disabled={savedCase === undefined}
              {...online.props}
              onClick={() => savedCase && !online.isOffline && setDraft(newDraft())}
            >
              <Trans>Add a date</Trans>
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
