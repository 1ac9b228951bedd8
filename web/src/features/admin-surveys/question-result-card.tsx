import type { SurveyResults } from '@casewatch/contracts/admin-surveys';
import { useMay } from '../admin/admin-context.ts';
import { OptionBars } from './option-bars.tsx';
import { counted, TYPE_WORDS } from './survey-words.ts';
import { TextAnswers } from './text-answers.tsx';

type QuestionResult = SurveyResults['questions'][number];

/** The answers to one question: counted by option, or as they were written. */
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
