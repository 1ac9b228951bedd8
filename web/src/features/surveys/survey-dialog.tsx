import './surveys.scss';
import type { Answer, PendingSurvey } from '@casewatch/contracts/surveys';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useRef, useState } from 'react';
import Modal from 'react-bootstrap/Modal';
import { Button } from '../../components/button.tsx';
import { DialogHeader } from '../../components/dialog-header.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { QuestionField } from './question-field.tsx';
import { answersOf, type Entries, entryFor, inOrder, unansweredRequired } from './survey-answers.ts';

interface SurveyDialogProps {
  pending: PendingSurvey;
  isSubmitting: boolean;
  onSubmit: (responses: Answer[]) => void;
  /** Called for every way out but a submission; none is open while one is in progress. */
  onSkip: () => void;
}

/** Renders a survey to answer or to skip. What was entered stays until the dialog goes, whatever a submission comes to. */
export function SurveyDialog({ pending, isSubmitting, onSubmit, onSkip }: SurveyDialogProps) {
  const { survey } = pending;
  const questions = inOrder(pending.questions);
  const [entries, setEntries] = useState<Entries>({});
  const [missing, setMissing] = useState<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const skip = () => {
    if (!isSubmitting) onSkip();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSubmitting) return;
    const unanswered = unansweredRequired(questions, entries);
    setMissing(unanswered.map(({ id }) => id));
    if (unanswered[0] === undefined) return onSubmit(answersOf(questions, entries));
    form.current?.querySelector<HTMLElement>(`[name="${unanswered[0].id}"]`)?.focus();
    toast({
      title: t`Required Fields`,
      description: t`Please answer all required questions.`,
      variant: 'destructive',
    });
  };

  return (
    <Modal
      animation={false}
      show
      onHide={skip}
      centered
      scrollable
      dialogClassName="survey-dialog"
      aria-labelledby="survey-title"
    >
      <DialogHeader title={survey.title} titleId="survey-title" onClose={skip} />
      <form ref={form} className="survey-form" onSubmit={submit} noValidate>
        <Modal.Body className="survey-body">
          {survey.description !== null && survey.description !== '' && (
            <p className="survey-description">{survey.description}</p>
          )}
          {questions.map((question, at) => (
            <QuestionField
              key={question.id}
              question={question}
              number={at + 1}
              entry={entryFor(entries, question)}
              isMissing={missing.includes(question.id)}
              onChange={(entry) => {
                setEntries((before) => ({ ...before, [question.id]: entry }));
                setMissing((before) => before.filter((id) => id !== question.id));
              }}
            />
          ))}
        </Modal.Body>
        <Modal.Footer>
          <Button look="secondary" aria-disabled={isSubmitting} onClick={skip}>
            <Trans>Skip</Trans>
          </Button>
          <button type="submit" className="btn btn-primary" aria-disabled={isSubmitting}>
            {isSubmitting ? t`Submitting...` : t`Submit`}
          </button>
        </Modal.Footer>
      </form>
    </Modal>
  );
}
