import './admin-surveys.scss';
import { useSearchParams } from 'react-router-dom';
import { SurveyList } from './survey-list.tsx';
import { SurveyResultsView } from './survey-results-view.tsx';

/** Renders the surveys, or the results of the one that the address names. */
export function SurveysTab() {
  const [params, setParams] = useSearchParams();
  const shown = params.get('results');
  const show = (id: string | null) => {
    const next = new URLSearchParams(params);
    if (id === null) next.delete('results');
    else next.set('results', id);
    setParams(next);
  };
  return shown === null ? (
    <SurveyList onShowResults={show} />
  ) : (
    <SurveyResultsView id={shown} onBack={() => show(null)} />
  );
}
