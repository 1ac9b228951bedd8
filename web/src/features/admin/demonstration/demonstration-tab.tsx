import './demonstration.scss';
import '../audit/admin-audit.scss';
import '../logs/log-details.scss';
import {
  DEMONSTRATED_CASES,
  DEMONSTRATED_NUMBERS,
  type DemonstratedCase,
} from '@casewatch/contracts/agency-demonstration';
import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { useId, useRef, useState } from 'react';
import {
  type DemonstrationStep,
  useCheckDueCases,
  useDemonstrateCall,
  useDemonstrationSteps,
  useForgetSteps,
  useIsDemonstrating,
} from '../../../api/agency-demonstration.ts';
import { Button } from '../../../components/button.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { createFile, saveFile } from '../../../lib/save-file.ts';
import { typedInUpperCase } from '../../../lib/typed-in-upper-case.ts';
import { useAdminFailure } from '../shared/admin-context.ts';
import { TimeZoneNote } from '../shared/admin-words.tsx';
import { StepRecord } from './demonstration-record.tsx';
import { batchWords, CASE_HINTS, CASE_WORDS, verdictOf } from './demonstration-words.ts';

const SANDBOX_NUMBER = 'EAC9999103403';

/** Shows the agency's reviewers its checklist, call by call, and keeps a record of it. */
export function DemonstrationTab() {
  const steps = useDemonstrationSteps();
  const forget = useForgetSteps();
  const heading = useRef<HTMLHeadingElement>(null);
  const { isBusy, run, runBatch } = useSteps();
  const [input, setInput] = useState(SANDBOX_NUMBER);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const last = steps.at(-1);

  const demonstrate = (wanted: DemonstratedCase) => {
    const receiptNumber = normaliseReceiptNumber(input);
    const isNeeded = DEMONSTRATED_NUMBERS[wanted] === undefined;
    if (isNeeded && !isReceiptNumber(receiptNumber)) {
      setError('Invalid receipt number format. Nothing was called.');
      field.current?.focus();
      return;
    }
    setError(undefined);
    run(wanted, isNeeded ? receiptNumber : SANDBOX_NUMBER);
  };
  const clear = () => {
    forget();
    heading.current?.focus();
  };

  return (
    <div className="demonstration">
      <div className="audit-head">
        <h2 ref={heading} tabIndex={-1}>
          Demonstration
        </h2>
        {steps.length > 0 && (
          <div className="demonstration-tools">
            <Button onClick={() => window.print()}>Print the record</Button>
            <Button onClick={() => save(steps)}>Download JSON</Button>
            <Button onClick={clear}>Clear</Button>
          </div>
        )}
      </div>
      <section className="card demonstration-form" aria-label="Checklist">
        <p>
          Each button makes one call, in the queue and within the limits of all lookups. It is a row of the
          API logs and of the audit trail. Secrets and tokens never reach the browser.
        </p>
        <FormField
          ref={field}
          label="Receipt Number"
          hint="“Not recognized” and “Malformed” send numbers of their own instead, which belong to no one."
          error={error}
          value={input}
          {...typedInUpperCase((text) => {
            setInput(text);
            setError(undefined);
          })}
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
        />
        <ul className="demonstration-cases">
          {DEMONSTRATED_CASES.map((wanted) => (
            <Choice
              key={wanted}
              words={CASE_WORDS[wanted]}
              hint={CASE_HINTS[wanted]}
              isBusy={isBusy}
              onClick={() => demonstrate(wanted)}
            />
          ))}
          <Choice
            words="Scheduled batch"
            hint="Runs the scheduled checks that are due now, as the scheduler does by itself. Checks that are not due stay as they are."
            isBusy={isBusy}
            onClick={runBatch}
          />
        </ul>
        <p role="status">{isBusy ? 'Waiting for the answer...' : last && summaryOf(last)}</p>
      </section>
      {steps.length > 0 && (
        <>
          <ol className="demonstration-steps" aria-label="Record, newest first">
            {[...steps].reverse().map((step) => (
              <StepRecord key={step.nth} step={step} onRetry={demonstrate} />
            ))}
          </ol>
          <TimeZoneNote />
        </>
      )}
    </div>
  );
}

interface ChoiceProps {
  words: string;
  hint: string;
  isBusy: boolean;
  onClick: () => void;
}

/** A button that keeps the focus while a step is made. */
function Choice({ words, hint, isBusy, onClick }: ChoiceProps) {
  const id = useId();
  return (
    <li>
      <Button
        look="secondary"
        aria-describedby={id}
        aria-disabled={isBusy || undefined}
        onClick={() => {
          if (!isBusy) onClick();
        }}
      >
        {words}
      </Button>
      <p id={id} className="form-text">
        {hint}
      </p>
    </li>
  );
}

/** One step at a time, however fast the buttons are clicked. */
function useSteps() {
  const call = useDemonstrateCall();
  const batch = useCheckDueCases();
  const fail = useAdminFailure();
  const isBusy = useIsDemonstrating();
  const isRunning = useRef(false);
  const alone = async (make: () => Promise<unknown>) => {
    if (isRunning.current || isBusy) return;
    isRunning.current = true;
    try {
      await make();
    } catch (error) {
      fail(error, 'The step could not be made. Please try again.');
    } finally {
      isRunning.current = false;
    }
  };
  return {
    isBusy,
    run: (wanted: DemonstratedCase, receiptNumber: string) =>
      void alone(() => call.mutateAsync({ case: wanted, receiptNumber })),
    runBatch: () => void alone(() => batch.mutateAsync(undefined)),
  };
}

function summaryOf(step: DemonstrationStep): string {
  const words = step.kind === 'call' ? verdictOf(step.call) : batchWords(step.batch);
  const name = step.kind === 'call' ? CASE_WORDS[step.call.case] : 'Scheduled batch';
  return `Step ${step.nth}, ${name}. ${words}`;
}

function save(steps: readonly DemonstrationStep[]): void {
  const file = createFile('application/json');
  file.write(JSON.stringify({ savedAt: new Date().toISOString(), steps }, null, 2));
  saveFile(file.finish(), 'casewatch-demonstration.json');
}
