import { ANSWER_MAX_LENGTH } from '@casewatch/contracts/limits';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { type Entry, withChoice } from './survey-answers.ts';

interface QuestionFieldProps {
  question: SurveyQuestion;
  /** Its place in the survey, from 1. */
  number: number;
  entry: Entry;
  /** It was left open and must not be. */
  isMissing: boolean;
  onChange: (entry: Entry) => void;
}

/** Renders one question with its field: a text box, or its options to choose one or several from. */
export function QuestionField(props: QuestionFieldProps) {
  return props.question.questionType === 'text' ? <TextQuestion {...props} /> : <ChoiceQuestion {...props} />;
}

function TextQuestion({ question, number, entry, isMissing, onChange }: QuestionFieldProps) {
  const id = useId();
  return (
    <div className="survey-question">
      <label className="form-label" htmlFor={id}>
        <QuestionWords question={question} number={number} />
      </label>
      <textarea
        id={id}
        name={question.id}
        className={`form-control ${isMissing ? 'is-invalid' : ''}`}
        rows={3}
        maxLength={ANSWER_MAX_LENGTH}
        placeholder={t`Your answer...`}
        value={entry.text}
        required={question.isRequired}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? `${id}-error` : undefined}
        onChange={(event) => onChange({ ...entry, text: event.target.value })}
      />
      {isMissing && <Missing id={`${id}-error`} />}
    </div>
  );
}

function ChoiceQuestion({ question, number, entry, isMissing, onChange }: QuestionFieldProps) {
  const id = useId();
  return (
    <fieldset className="survey-question" aria-describedby={isMissing ? `${id}-error` : undefined}>
      <legend className="form-label">
        <QuestionWords question={question} number={number} />
      </legend>
      {question.options.map((option) => (
        <label key={option} className="survey-option">
          <input
            type={question.questionType === 'radio' ? 'radio' : 'checkbox'}
            name={question.id}
            className="choice-input"
            checked={entry.options.includes(option)}
            onChange={() => onChange(withChoice(entry, question, option))}
          />
          <span>{option}</span>
        </label>
      ))}
      {isMissing && <Missing id={`${id}-error`} />}
    </fieldset>
  );
}

function QuestionWords({ question, number }: Pick<QuestionFieldProps, 'question' | 'number'>) {
  return (
    <>
      {number}. {question.questionText}
      {question.isRequired && (
        <>
          {' '}
          <span className="survey-required" aria-hidden="true">
            *
          </span>
          <span className="visually-hidden">
            <Trans>(required)</Trans>
          </span>
        </>
      )}
    </>
  );
}

function Missing({ id }: { id: string }) {
  return (
    <div className="field-error" id={id}>
      <Trans>Please answer this question.</Trans>
    </div>
  );
}
