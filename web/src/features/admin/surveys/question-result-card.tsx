import type { SurveyResults } from '@casewatch/contracts/admin-surveys';
import { isAdminEnded } from '../../../api/admin-session.ts';
import { useTextAnswers } from '../../../api/admin-surveys.ts';
import { ErrorReference } from '../../../components/error-reference.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { formatMoment } from '../../../lib/format-moment.ts';
import { useMay } from '../shared/admin-context.ts';
import { TimeZoneNote } from '../shared/admin-words.tsx';
import { counted, share, TYPE_WORDS } from './survey-words.ts';

type QuestionResult = SurveyResults['questions'][number];

/** Renders the answers to one question: counted by option, or as they were written. */
export function QuestionResultCard({ result, number }: { result: QuestionResult; number: number }) {
  const { question, answered } = result;
  const mayRead = useMay()('survey-answers.read');
  return (
    <article className="card result-card">
      <h3>
        {number}. {question.questionText}
      </h3>
      <p className="question-item-facts">
        {TYPE_WORDS[question.questionType]}, {counted(answered, 'answer')}
      </p>
      {question.questionType === 'text' ? (
        mayRead ? (
          <TextAnswers questionId={question.id} isEmpty={answered === 0} />
        ) : (
          <p className="mb-0">Your role cannot see written answers.</p>
        )
      ) : (
        <OptionBars options={result.options} answered={answered} />
      )}
    </article>
  );
}

interface OptionBarsProps {
  options: readonly { option: string; count: number }[];
  /** How many people answered, which the shares are of. */
  answered: number;
}

/** How often each option was chosen: a bar, and its numbers. */
function OptionBars({ options, answered }: OptionBarsProps) {
  return (
    <ul className="option-bars">
      {options.map(({ option, count }) => (
        <li key={option}>
          <span className="option-bars-name">{option}</span>
          <span className="option-bars-numbers">
            {count} ({share(count, answered)}%)
          </span>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect className="option-track" width={100} height={1} />
            <rect className="option-bar" width={share(count, answered)} height={1} />
          </svg>
        </li>
      ))}
    </ul>
  );
}

interface TextAnswersProps {
  questionId: string;
  /** The question has no answers. */
  isEmpty: boolean;
}

/** Renders what people wrote, newest first. */
function TextAnswers({ questionId, isEmpty }: TextAnswersProps) {
  const texts = useTextAnswers(questionId);
  const { data, error, isFetchingNextPage, isFetchNextPageError, hasNextPage } = texts;
  const answers = data?.pages.flat() ?? [];
  if (error && data === undefined) {
    return (
      <LoadFailure className="question-item-facts" error={error} onRetry={() => void texts.refetch()} isPart>
        <p>The answers could not be loaded.</p>
      </LoadFailure>
    );
  }
  if (isEmpty && answers.length === 0) return null;
  return (
    <>
      <ul className="text-answers">
        {answers.map(({ id, text, createdAt }) => (
          <li key={id}>
            <p>{text}</p>
            <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          </li>
        ))}
      </ul>
      {answers.length > 0 && <TimeZoneNote />}
      {isFetchNextPageError && !isAdminEnded(error) && (
        <div role="alert">
          <p className="field-error">More answers could not be loaded. Please try again.</p>
          <ErrorReference error={error} />
        </div>
      )}
      {hasNextPage && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary results-more"
          disabled={isFetchingNextPage}
          onClick={() => void texts.fetchNextPage()}
        >
          {isFetchingNextPage ? 'Loading...' : 'Load more'}
        </button>
      )}
    </>
  );
}
