import type { SurveyResults } from '@casewatch/contracts/admin-surveys';
import { useMay } from '../shared/admin-context.ts';
import { counted, share, TYPE_WORDS } from './survey-words.ts';
import { TextAnswers } from './text-answers.tsx';

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
          <p className="mb-0">Your role does not show what people wrote.</p>
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
            {count} ({share(count, answered)} %)
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
