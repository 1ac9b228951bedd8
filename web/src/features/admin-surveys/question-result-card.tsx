import type { SurveyResults } from '@casewatch/contracts/admin-surveys';
import { OptionBars } from './option-bars.tsx';
import { counted, TYPE_WORDS } from './survey-words.ts';
import { TextAnswers } from './text-answers.tsx';

type QuestionResult = SurveyResults['questions'][number];

/** The answers to one question: counted by option, or as they were written. */
export function QuestionResultCard({ result, number }: { result: QuestionResult; number: number }) {
  const { question, answered } = result;
  return (
    <article className="card result-card">
      <h3>
        {number}. {question.questionText}
      </h3>
      <p className="question-item-facts">
        {TYPE_WORDS[question.questionType]}, {counted(answered, 'answer')}
      </p>
      {question.questionType === 'text' ? (
        <TextAnswers questionId={question.id} isEmpty={answered === 0} />
      ) : (
        <OptionBars options={result.options} answered={answered} />
      )}
    </article>
  );
}
