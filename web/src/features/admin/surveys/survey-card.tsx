import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { Button } from '../../../components/button.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { inOrder } from '../../surveys/survey-answers.ts';
import { useMay } from '../shared/admin-context.ts';
import { counted, FREQUENCY_WORDS, loginWords, TYPE_WORDS, utcDay } from './survey-words.ts';

interface SurveyCardProps {
  item: AdminSurvey;
  onEdit: () => void;
  onDelete: () => void;
  onDuplicate: () => void;
  onPreview: () => void;
  onShowResults: () => void;
  /** null adds one. */
  onEditQuestion: (question: SurveyQuestion | null) => void;
  onDeleteQuestion: (question: SurveyQuestion) => void;
}

/** Renders one survey with its questions, and what can be done with them. */
export function SurveyCard({ item, ...on }: SurveyCardProps) {
  const { survey, questions, responseCount } = item;
  const titleId = `survey-${survey.id}`;
  const mayEdit = useMay()('surveys.edit');
  return (
    <article className="card survey-card" aria-labelledby={titleId}>
      <div className="survey-card-head">
        <h3 id={titleId}>{survey.title}</h3>
        <span className={`status-badge status-badge-${survey.isActive ? 'default' : 'secondary'}`}>
          {survey.isActive ? 'Active' : 'Inactive'}
        </span>
        <span className="status-badge status-badge-secondary">{FREQUENCY_WORDS[survey.frequency]}</span>
      </div>
      {survey.description !== null && survey.description !== '' && (
        <p className="survey-card-words">{survey.description}</p>
      )}
      <p className="survey-card-facts">
        {survey.startDate !== null && <span>From: {utcDay(survey.startDate)}</span>}
        {survey.endDate !== null && <span>To: {utcDay(survey.endDate)}</span>}
        {loginWords(survey) !== null && <span>{loginWords(survey)}</span>}
        <span>{counted(responseCount, 'response')}</span>
      </p>
      <div className="survey-card-actions">
        {mayEdit && <Action icon="pencil" label="Edit" of={survey.title} onClick={on.onEdit} />}
        <Action icon="eye" label="Preview" of={survey.title} onClick={on.onPreview} />
        <Action icon="layers" label="Results" of={survey.title} onClick={on.onShowResults} />
        {mayEdit && <Action icon="copy" label="Duplicate" of={survey.title} onClick={on.onDuplicate} />}
        {mayEdit && <Action icon="trash" label="Delete" of={survey.title} onClick={on.onDelete} />}
      </div>
      <div className="survey-card-questions">
        <h4>{counted(questions.length, 'question')}</h4>
        <ol>
          {inOrder(questions).map((question) => (
            <QuestionItem
              key={question.id}
              question={question}
              onEdit={() => on.onEditQuestion(question)}
              onDelete={() => on.onDeleteQuestion(question)}
            />
          ))}
        </ol>
        {mayEdit && (
          <button
            type="button"
            className="btn btn-sm btn-outline-primary"
            onClick={() => on.onEditQuestion(null)}
          >
            <Icon name="plus" size={16} />
            Add question
          </button>
        )}
      </div>
    </article>
  );
}

interface ActionProps {
  icon: IconName;
  label: string;
  /** The survey it acts on, for screen readers. */
  of: string;
  onClick: () => void;
}

function Action({ icon, label, of, onClick }: ActionProps) {
  return (
    <Button onClick={onClick}>
      <Icon name={icon} size={16} />
      {label}
      <span className="visually-hidden"> {of}</span>
    </Button>
  );
}

interface QuestionItemProps {
  question: SurveyQuestion;
  onEdit: () => void;
  onDelete: () => void;
}

/** Renders one question on the card of its survey. */
function QuestionItem({ question, onEdit, onDelete }: QuestionItemProps) {
  const { questionText, questionType, options, isRequired } = question;
  const mayEdit = useMay()('surveys.edit');
  return (
    <li className="question-item">
      <div>
        <p className="question-item-text">{questionText}</p>
        <p className="question-item-facts">
          {TYPE_WORDS[questionType]}, {isRequired ? 'required' : 'optional'}
          {options.length > 0 && `: ${options.join(', ')}`}
        </p>
      </div>
      {mayEdit && (
        <div className="question-item-actions">
          <button
            type="button"
            className="icon-button"
            aria-label={`Edit question ${questionText}`}
            onClick={onEdit}
          >
            <Icon name="pencil" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={`Delete question ${questionText}`}
            onClick={onDelete}
          >
            <Icon name="trash" />
          </button>
        </div>
      )}
    </li>
  );
}
