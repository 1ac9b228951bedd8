import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { Icon } from '../../../components/icon.tsx';
import { useMay } from '../shared/admin-context.ts';
import { TYPE_WORDS } from './survey-words.ts';

interface QuestionItemProps {
  question: SurveyQuestion;
  onEdit: () => void;
  onDelete: () => void;
}

/** Renders one question on the card of its survey. */
export function QuestionItem({ question, onEdit, onDelete }: QuestionItemProps) {
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
