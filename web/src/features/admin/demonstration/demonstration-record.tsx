import type {
  AgencyDemonstration,
  AgencyExchange,
  DemonstratedCase,
} from '@casewatch/contracts/agency-demonstration';
import { isLookupCode, LOOKUP_REASONS } from '@casewatch/contracts/lookup-outcomes';
import type { DueChecks } from '@casewatch/contracts/monitoring';
import { ERROR_STATUS } from '@casewatch/contracts/route-contract';
import { lazy, type MouseEvent, type ReactNode, Suspense, useId } from 'react';
import type { DemonstrationStep } from '../../../api/agency-demonstration.ts';
import { ApiError } from '../../../api/api-error.ts';
import { CaseCard } from '../../lookup/case-card.tsx';
import { FailureNotice } from '../../lookup/failure-notice.tsx';
import { explainLookupFailure, SINGLE_FALLBACKS } from '../../lookup/lookup-failure.ts';
import { exactMoment, milliseconds } from '../logs/log-words.ts';
import { agencyWords, batchWords, CASE_HINTS, CASE_WORDS, verdictOf } from './demonstration-words.ts';

const CaseSummary = lazy(async () => ({
  default: (await import('../../case-page/case-summary.tsx')).CaseSummary,
}));

interface StepRecordProps {
  step: DemonstrationStep;
  onRetry: (wanted: DemonstratedCase) => void;
}

/** Renders all that is known of one step. */
export function StepRecord({ step, onRetry }: StepRecordProps) {
  const id = useId();
  const { nth } = step;
  const { name, startedAt, endedAt } =
    step.kind === 'call'
      ? { ...step.call, name: CASE_WORDS[step.call.case] }
      : { ...step.batch, name: 'Scheduled batch' };
  return (
    <li className="card demonstration-step">
      <h3 id={id}>
        Step {nth}: {name}
      </h3>
      <p>
        <time dateTime={startedAt}>{exactMoment(startedAt)}</time>, {startedAt} to {endedAt}
      </p>
      {step.kind === 'call' ? (
        <Call call={step.call} headingId={id} onRetry={onRetry} />
      ) : (
        <Batch batch={step.batch} />
      )}
    </li>
  );
}

function Batch({ batch }: { batch: DueChecks }) {
  return (
    <>
      <p>
        <strong>{batchWords(batch)}</strong>
      </p>
      <p>
        {batch.nextDueAt === null
          ? 'No further check is scheduled.'
          : `The next check is due ${exactMoment(batch.nextDueAt)}.`}{' '}
        Each check is a row of the API logs, requested by “Scheduled check”.
      </p>
    </>
  );
}

interface CallProps {
  call: AgencyDemonstration;
  headingId: string;
  onRetry: (wanted: DemonstratedCase) => void;
}

function Call({ call, headingId, onRetry }: CallProps) {
  const { case: wanted, token, status, read, isStored } = call;
  return (
    <>
      <p>
        <strong>{verdictOf(call)}</strong> {CASE_HINTS[wanted]}
      </p>
      <p>{agencyWords(call)}</p>
      {token && <Exchange name="Token" exchange={token} />}
      {status && <Exchange name="Status" exchange={status} />}
      {read && (
        <Part name={token || status ? 'How it was read' : 'Why no call was made'}>
          {'fields' in read ? (
            <dl className="facts">
              {Object.entries(read.fields).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          ) : (
            <p>
              <code>{read.code}</code> {isLookupCode(read.code) && LOOKUP_REASONS[read.code]}
              {read.agencyMessage !== undefined && ` USCIS says: ${read.agencyMessage}`}
            </p>
          )}
        </Part>
      )}
      <Part name="What is stored">
        <p>
          {isStored
            ? 'The status with its history, and an event for those who watch the case, as after any lookup.'
            : 'Nothing about the case: a demonstration stores a status alone.'}
        </p>
      </Part>
      <Shown call={call} headingId={headingId} onRetry={onRetry} />
    </>
  );
}

function Shown({ call: { case: wanted, receiptNumber, shown }, headingId, onRetry }: CallProps) {
  if (!shown) return null;
  return (
    <Part name="What a user sees who has no earlier answer">
      {/* Links of the app would leave the admin area, and the record with it. */}
      <div onClickCapture={openInNewTab}>
        {'result' in shown ? (
          <CaseCard
            result={shown.result}
            summary={
              <Suspense fallback={<div className="case-summary-space" />}>
                <CaseSummary result={shown.result} />
              </Suspense>
            }
            actions={() => null}
          />
        ) : (
          <FailureNotice
            failure={explainLookupFailure(toApiError(shown.refusal), SINGLE_FALLBACKS)}
            receiptNumber={receiptNumber}
            onRetry={() => onRetry(wanted)}
            within={headingId}
          />
        )}
      </div>
    </Part>
  );
}

type Refusal = Extract<NonNullable<AgencyDemonstration['shown']>, { refusal: unknown }>['refusal'];

/** Returns the error that a lookup would have ended in. */
function toApiError(refusal: Refusal): ApiError {
  const status = ERROR_STATUS[refusal.code ?? 'INTERNAL'];
  return new ApiError({
    status,
    text: JSON.stringify(refusal),
    statusText: '',
    retryAfterSeconds: undefined,
  });
}

function openInNewTab(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  event.stopPropagation();
  window.open(link.href, '_blank', 'noopener');
}

function Exchange({ name, exchange }: { name: string; exchange: AgencyExchange }) {
  const { request, answer, problem, durationMs, sentAt } = exchange;
  const head = [`${request.method} ${request.url}`, ...linesOf(request.headers)].join('\n');
  return (
    <>
      <Part name={`${name} request`}>
        <p>Sent {sentAt}</p>
        <pre>{request.body === undefined ? head : `${head}\n\n${request.body}`}</pre>
      </Part>
      <Part name={`${name} answer`}>
        <p>
          {answer ? `HTTP ${answer.status}` : `No answer: ${problem}`}, after {milliseconds(durationMs)}
        </p>
        {answer && (
          <>
            <pre>{linesOf(answer.headers).join('\n')}</pre>
            <pre>{answer.body}</pre>
            {answer.isCut && <p>The rest of the body is left out.</p>}
          </>
        )}
      </Part>
    </>
  );
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="payload">
      <h4>{name}</h4>
      {children}
    </div>
  );
}
