import { type AdminSurvey, questionChange } from '@casewatch/contracts/admin-surveys';
import { QUESTION_TYPES, SURVEY_TEXT_MAX_LENGTH } from '@casewatch/contracts/limits';
import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { useQueryClient } from '@tanstack/react-query';
import { readSurveysAgain, useSaveQuestion } from '../../../api/admin-surveys.ts';
import { hasCode } from '../../../api/api-error.ts';
import { CheckField } from '../../../components/check-field.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextAreaField } from '../../../components/text-area-field.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { useCheckedForm } from '../../../lib/use-checked-form.ts';
import { useAdminFailure } from '../shared/admin-context.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { EditorDialog } from './editor-dialog.tsx';
import { hasOptions, newQuestion, questionBodyOf, questionFormOf, questionTypeOf } from './question-form.ts';
import { TYPE_WORDS } from './survey-words.ts';
import { useMergedForm } from './use-merged-form.ts';

const FIELDS = ['questionText', 'questionType', 'options', 'orderIndex', 'isRequired'] as const;

const LABELS: Readonly<Record<(typeof FIELDS)[number], string>> = {
  questionText: 'Question text',
  questionType: 'Question type',
  options: 'Options',
  orderIndex: 'Order',
  isRequired: 'Required',
};

/** A choice without anything to choose from could not be answered. */
const checkedQuestion = questionChange.refine(
  ({ questionType, options }) => questionType === 'text' || (options?.length ?? 0) > 0,
  { path: ['options'], message: 'Enter at least one option, one per line.' },
);

interface QuestionEditorProps {
  /** As it is when the dialog opens. */
  owner: AdminSurvey;
  /** null adds one. */
  question: SurveyQuestion | null;
  onClose: () => void;
}

/** Adds a question to a survey or edits one. */
export function QuestionEditor({ owner, question, onClose }: QuestionEditorProps) {
  const initial = question === null ? newQuestion(owner.questions.length) : questionFormOf(question);
  const { values, version, conflict, change, rebase, takeOver } = useMergedForm(
    FIELDS,
    initial,
    owner.survey.version,
  );
  const { mutateAsync, isPending } = useSaveQuestion();
  const client = useQueryClient();
  const toast = useToast();
  const fail = useAdminFailure();

  const refuse = async (error: unknown) => {
    if (!hasCode(error, 'EDIT_CONFLICT')) return fail(error, 'Failed to save question');
    const all = await readSurveysAgain(client);
    const newer = all.find(({ survey }) => survey.id === owner.survey.id);
    const saved = newer?.questions.find(({ id }) => id === question?.id);
    if (newer === undefined || (question !== null && saved === undefined)) {
      return fail(error, 'This question no longer exists.');
    }
    rebase(saved === undefined ? initial : questionFormOf(saved), newer.survey.version);
  };

  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: checkedQuestion,
    toValues: () => questionBodyOf(values),
    submit: async (body) => {
      await mutateAsync({ surveyId: owner.survey.id, questionId: question?.id ?? null, version, body });
      toast({ title: question === null ? 'Question added successfully' : 'Question updated successfully' });
      onClose();
    },
    onRefused: (error) => void refuse(error),
  });

  return (
    <EditorDialog
      title={question === null ? 'Add question' : 'Edit question'}
      submitLabel={question === null ? 'Add question' : 'Update question'}
      formProps={formProps}
      isPending={isPending}
      onHide={onClose}
    >
      {conflict !== null && <ConflictNotice differences={conflict} labels={LABELS} onTake={takeOver} />}
      <TextAreaField
        label={LABELS.questionText}
        name="questionText"
        rows={2}
        value={values.questionText}
        maxLength={SURVEY_TEXT_MAX_LENGTH}
        error={errors.questionText}
        onChange={({ target }) => change({ questionText: target.value })}
      />
      <SelectField
        label={LABELS.questionType}
        name="questionType"
        value={values.questionType}
        options={QUESTION_TYPES.map((one) => [one, TYPE_WORDS[one]] as const)}
        error={errors.questionType}
        onChange={({ target }) => change({ questionType: questionTypeOf(target.value) })}
      />
      {hasOptions(values.questionType) && (
        <TextAreaField
          label={LABELS.options}
          hint="One option per line."
          name="options"
          rows={4}
          value={values.options}
          error={errors.options}
          onChange={({ target }) => change({ options: target.value })}
        />
      )}
      <FormField
        label={LABELS.orderIndex}
        name="orderIndex"
        type="number"
        min={0}
        value={values.orderIndex}
        hint="Questions are shown in this order, lowest first."
        error={errors.orderIndex}
        onChange={({ target }) => change({ orderIndex: target.value })}
      />
      <CheckField
        label={LABELS.isRequired}
        name="isRequired"
        checked={values.isRequired}
        onChange={({ target }) => change({ isRequired: target.checked })}
      />
    </EditorDialog>
  );
}
