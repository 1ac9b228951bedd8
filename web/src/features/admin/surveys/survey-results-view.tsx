import { isAdminEnded } from '../../../api/admin-session.ts';
import { responsesHref, useSurveyResults } from '../../../api/admin-surveys.ts';
import { failureText } from '../../../api/api-error.ts';
import { Icon } from '../../../components/icon.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { useMay } from '../shared/admin-context.ts';
import { grouped } from '../shared/admin-words.tsx';
import { QuestionResultCard } from './question-result-card.tsx';

interface SurveyResultsViewProps {
  id: string;
  onBack: () => void;
}

/** Renders what people answered: how many did, and each question for itself. */
export function SurveyResultsView({ id, onBack }: SurveyResultsViewProps) {
  const mayRead = useMay()('survey-answers.read');
  const { data: results, error, refetch } = useSurveyResults(id);
  return (
    <>
      <button type="button" className="btn btn-sm btn-outline-secondary results-back" onClick={onBack}>
        <Icon name="chevron-left" size={16} />
        Back to surveys
      </button>
      {results !== undefined ? (
        <>
          <div className="surveys-head">
            <h2>Results: {results.survey.title}</h2>
            {mayRead && (
              <a className="btn btn-outline-secondary" href={responsesHref(id)} download>
                Export CSV
              </a>
            )}
          </div>
          <dl className="card results-counts">
            <div>
              <dt>Responses</dt>
              <dd>{grouped(results.responseCount)}</dd>
            </div>
            <div>
              <dt>Skipped</dt>
              <dd>{grouped(results.skipCount)}</dd>
            </div>
          </dl>
          <ol className="survey-list">
            {results.questions.map((result, at) => (
              <li key={result.question.id}>
                <QuestionResultCard result={result} number={at + 1} />
              </li>
            ))}
          </ol>
          {results.questions.length === 0 && (
            <div className="card admin-message">
              <p>This survey has no questions yet.</p>
            </div>
          )}
        </>
      ) : error !== null && !isAdminEnded(error) ? (
        <LoadFailure className="card admin-message" error={error} onRetry={() => void refetch()}>
          <p>{failureText(error, 'The results could not be loaded.')}</p>
        </LoadFailure>
      ) : (
        <Spinner />
      )}
    </>
  );
}
