import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { useRef, useState } from 'react';
import { useDeleteQuestion, useDeleteSurvey } from '../../../api/admin-surveys.ts';
import { hasCode } from '../../../api/api-error.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useAdminFailure } from '../shared/admin-context.ts';
import { counted } from './survey-words.ts';

export interface Deletion {
  owner: AdminSurvey;
  /** null: the whole survey. */
  question: SurveyQuestion | null;
}

interface DeletionDialogProps {
  deletion: Deletion | null;
  onClose: () => void;
  /** Called once the dialog has closed after a deletion. */
  onDeleted: () => void;
}

/** Asks before a survey or a question goes, and says what goes with it. */
export function DeletionDialog({ deletion, onClose, onDeleted }: DeletionDialogProps) {
  const deleteSurvey = useDeleteSurvey();
  const deleteQuestion = useDeleteQuestion();
  const hasDeleted = useRef(false);
  const [last, setLast] = useState(deletion);
  const toast = useToast();
  const fail = useAdminFailure();
  // What was asked outlives the closing, so that the words don't change while the dialog fades out.
  if (deletion !== null && deletion !== last) setLast(deletion);
  const asked = deletion ?? last;
  if (asked === null) return null;
  const { owner, question } = asked;

  const showFailure = (error: unknown) => {
    if (!hasCode(error, 'EDIT_CONFLICT')) {
      return fail(error, question === null ? 'Failed to delete survey' : 'Failed to delete question');
    }
    toast({
      title: 'Error',
      description: 'Someone else changed this survey. Review it before you delete it.',
      variant: 'destructive',
      error,
    });
  };

  const confirm = async () => {
    const { version } = owner.survey;
    try {
      if (question === null) await deleteSurvey.mutateAsync({ id: owner.survey.id, version });
      else await deleteQuestion.mutateAsync({ id: question.id, version });
      hasDeleted.current = true;
      toast({
        title: question === null ? 'Survey deleted successfully' : 'Question deleted successfully',
      });
    } catch (error) {
      showFailure(error);
    }
    onClose();
  };

  return (
    <ConfirmDialog
      show={deletion !== null}
      title={question === null ? 'Are you sure you want to delete this survey?' : 'Delete this question?'}
      confirmLabel="Delete"
      destructive
      pending={deleteSurvey.isPending || deleteQuestion.isPending}
      onConfirm={() => void confirm()}
      onHide={onClose}
      onExited={() => {
        if (hasDeleted.current) onDeleted();
        hasDeleted.current = false;
      }}
    >
      <p className="deletion-name">{question?.questionText ?? owner.survey.title}</p>
      <p className="mb-0">{lossOf(asked)} This can’t be undone.</p>
    </ConfirmDialog>
  );
}

function lossOf({ owner, question }: Deletion): string {
  const responses = counted(owner.responseCount, 'response');
  if (question === null) {
    return `This also deletes ${counted(owner.questions.length, 'question')} and ${responses}.`;
  }
  return owner.responseCount === 0
    ? 'No one has answered this survey yet.'
    : `The survey has ${responses}. This also deletes the answers to this question.`;
}
