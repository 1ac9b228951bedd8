import './admin-surveys.scss';
import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useDuplicateSurvey, useSurveys } from '../../../api/admin-surveys.ts';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { SurveyDialog } from '../../surveys/survey-dialog.tsx';
import { useAdminFailure, useMay } from '../shared/admin-context.ts';
import { type Deletion, DeletionDialog } from './deletion-dialog.tsx';
import { QuestionEditor } from './question-editor.tsx';
import { SurveyCard } from './survey-card.tsx';
import { SurveyEditor } from './survey-editor.tsx';
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

/** The one dialog that is open over the list. */
type Dialog =
  | { kind: 'survey'; edited: AdminSurvey | null }
  | { kind: 'question'; owner: AdminSurvey; question: SurveyQuestion | null }
  | { kind: 'preview'; previewed: AdminSurvey };

/** Renders all surveys, and every dialog that changes them. */
function SurveyList({ onShowResults }: { onShowResults: (id: string) => void }) {
  const { data: surveys, error, isFetching, refetch } = useSurveys();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const duplicate = useDuplication();
  const mayEdit = useMay()('surveys.edit');
  const close = () => setDialog(null);

  return (
    <>
      <div className="surveys-head">
        <h2 ref={heading} tabIndex={-1}>
          Surveys
        </h2>
        {mayEdit && (
          <Button look="primary" onClick={() => setDialog({ kind: 'survey', edited: null })}>
            <Icon name="plus" />
            Create survey
          </Button>
        )}
      </div>
      {surveys !== undefined ? (
        <ul className="survey-list">
          {surveys.map((one) => (
            <li key={one.survey.id}>
              <SurveyCard
                item={one}
                onEdit={() => setDialog({ kind: 'survey', edited: one })}
                onDelete={() => setDeletion({ owner: one, question: null })}
                onDuplicate={() => void duplicate(one.survey.id)}
                onPreview={() => setDialog({ kind: 'preview', previewed: one })}
                onShowResults={() => onShowResults(one.survey.id)}
                onEditQuestion={(question) => setDialog({ kind: 'question', owner: one, question })}
                onDeleteQuestion={(question) => setDeletion({ owner: one, question })}
              />
            </li>
          ))}
        </ul>
      ) : isFetching ? (
        <Spinner />
      ) : (
        <LoadFailure className="card admin-message" error={error} onRetry={() => void refetch()}>
          <p>The surveys could not be loaded.</p>
        </LoadFailure>
      )}
      {surveys?.length === 0 && (
        <div className="card admin-message">
          <p>No surveys yet. Create your first survey to gather feedback from users.</p>
        </div>
      )}
      {dialog?.kind === 'survey' && <SurveyEditor survey={dialog.edited?.survey ?? null} onClose={close} />}
      {dialog?.kind === 'question' && (
        <QuestionEditor owner={dialog.owner} question={dialog.question} onClose={close} />
      )}
      {dialog?.kind === 'preview' && <SurveyPreview item={dialog.previewed} onClose={close} />}
      <DeletionDialog
        deletion={deletion}
        onClose={() => setDeletion(null)}
        // The button that asked is gone with what it belonged to.
        onDeleted={() => heading.current?.focus()}
      />
    </>
  );
}

function useDuplication() {
  const { mutateAsync } = useDuplicateSurvey();
  const toast = useToast();
  const fail = useAdminFailure();
  const running = useRef<string>(undefined);
  return async (id: string) => {
    // The second press of a double click comes before anything is drawn.
    if (running.current === id) return;
    running.current = id;
    try {
      await mutateAsync(id);
      toast({ title: 'Survey duplicated', description: 'The copy is inactive and has no responses.' });
    } catch (error) {
      fail(error, 'Failed to duplicate survey');
    }
    running.current = undefined;
  };
}

/** A survey as users see it; nothing that is entered goes anywhere. */
function SurveyPreview({ item, onClose }: { item: AdminSurvey; onClose: () => void }) {
  const toast = useToast();
  return (
    <SurveyDialog
      pending={item}
      isSubmitting={false}
      onSubmit={() => {
        toast({ title: 'Preview', description: 'This was a preview. Nothing was sent.' });
        onClose();
      }}
      onSkip={onClose}
    />
  );
}
