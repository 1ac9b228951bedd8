import { surveyBody } from '@casewatch/contracts/admin-surveys';
import {
  SURVEY_FREQUENCIES,
  SURVEY_TEXT_MAX_LENGTH,
  SURVEY_TITLE_MAX_LENGTH,
} from '@casewatch/contracts/limits';
import type { Survey } from '@casewatch/contracts/surveys';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { z } from 'zod';
import { readSurveysAgain, useSaveSurvey } from '../../../api/admin-surveys.ts';
import { hasCode } from '../../../api/api-error.ts';
import { CheckField } from '../../../components/check-field.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextAreaField } from '../../../components/text-area-field.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import type { FieldErrors } from '../../../lib/field-errors.ts';
import { useCheckedForm } from '../../../lib/use-checked-form.ts';
import { useAdminFailure } from '../shared/admin-context.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { EditorDialog } from './editor-dialog.tsx';
import { frequencyOf, NEW_SURVEY, type SurveyForm, surveyBodyOf, surveyFormOf } from './survey-form.ts';
import { FREQUENCY_WORDS } from './survey-words.ts';
import { useMergedForm } from './use-merged-form.ts';

const FIELDS = [
  'title',
  'description',
  'isActive',
  'frequency',
  'loginTrigger',
  'startDate',
  'endDate',
] as const;

const LABELS: Readonly<Record<(typeof FIELDS)[number], string>> = {
  title: 'Title',
  description: 'Description (Optional)',
  isActive: 'Active',
  frequency: 'Frequency',
  loginTrigger: 'Show after how many logins',
  startDate: 'Start date (Optional)',
  endDate: 'End date (Optional)',
};

/** Stands for a date of which the field shows parts but has no value: taken for none, it would be lost without a word. */
const UNFINISHED = 'unfinished';
const enteredDate = z
  .string()
  .refine((text) => text !== UNFINISHED, 'Enter a whole date that exists, or clear the field.')
  .nullable();
const enteredSurvey = surveyBody.extend({ startDate: enteredDate, endDate: enteredDate });

interface SurveyEditorProps {
  /** null makes a new one. */
  survey: Survey | null;
  onClose: () => void;
}

/** Creates a survey or edits one. A concurrent change is reported, and what was typed stays. */
export function SurveyEditor({ survey, onClose }: SurveyEditorProps) {
  const [current, setCurrent] = useState(survey);
  const startField = useRef<HTMLInputElement>(null);
  const endField = useRef<HTMLInputElement>(null);
  const initial = survey === null ? NEW_SURVEY : surveyFormOf(survey);
  const { values, version, conflict, change, rebase, takeOver } = useMergedForm(
    FIELDS,
    initial,
    survey?.version ?? 0,
  );
  const { mutateAsync, isPending } = useSaveSurvey();
  const client = useQueryClient();
  const toast = useToast();
  const fail = useAdminFailure();

  const refuse = async (error: unknown) => {
    if (!hasCode(error, 'EDIT_CONFLICT') || survey === null) return fail(error, 'Failed to save survey');
    const all = await readSurveysAgain(client);
    const newer = all.find((one) => one.survey.id === survey.id)?.survey;
    if (newer === undefined) return fail(error, 'This survey no longer exists.');
    setCurrent(newer);
    rebase(surveyFormOf(newer), newer.version);
  };

  const { errors, formProps } = useCheckedForm({
    fields: FIELDS,
    schema: enteredSurvey,
    toValues: () => {
      const body = surveyBodyOf(values, current);
      return {
        ...body,
        startDate: isUnfinished(startField) ? UNFINISHED : body.startDate,
        endDate: isUnfinished(endField) ? UNFINISHED : body.endDate,
      };
    },
    submit: async (body) => {
      await mutateAsync({ edited: survey && { id: survey.id, version }, body });
      toast({ title: survey === null ? 'Survey created successfully' : 'Survey updated successfully' });
      onClose();
    },
    onRefused: (error) => void refuse(error),
  });

  return (
    <EditorDialog
      title={survey === null ? 'Create survey' : 'Edit survey'}
      submitLabel={survey === null ? 'Create survey' : 'Update survey'}
      formProps={formProps}
      isPending={isPending}
      onHide={onClose}
    >
      {conflict !== null && <ConflictNotice differences={conflict} labels={LABELS} onTake={takeOver} />}
      <SurveyFields
        values={values}
        errors={errors}
        onChange={change}
        startField={startField}
        endField={endField}
      />
    </EditorDialog>
  );
}

interface SurveyFieldsProps {
  values: SurveyForm;
  errors: FieldErrors<(typeof FIELDS)[number]>;
  onChange: (part: Partial<SurveyForm>) => void;
  startField: RefObject<HTMLInputElement | null>;
  endField: RefObject<HTMLInputElement | null>;
}

function SurveyFields({ values, errors, onChange, startField, endField }: SurveyFieldsProps) {
  return (
    <>
      <FormField
        label={LABELS.title}
        name="title"
        value={values.title}
        maxLength={SURVEY_TITLE_MAX_LENGTH}
        autoComplete="off"
        error={errors.title}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      <TextAreaField
        label={LABELS.description}
        name="description"
        rows={3}
        value={values.description}
        maxLength={SURVEY_TEXT_MAX_LENGTH}
        error={errors.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <CheckField
        label={LABELS.isActive}
        hint="Only active surveys are shown to users."
        name="isActive"
        checked={values.isActive}
        onChange={({ target }) => onChange({ isActive: target.checked })}
      />
      <div className="form-pair">
        <SelectField
          label={LABELS.frequency}
          name="frequency"
          value={values.frequency}
          options={SURVEY_FREQUENCIES.map((one) => [one, FREQUENCY_WORDS[one]] as const)}
          error={errors.frequency}
          onChange={({ target }) => onChange({ frequency: frequencyOf(target.value) })}
        />
        {values.frequency === 'daily' && (
          <FormField
            label={LABELS.loginTrigger}
            name="loginTrigger"
            type="number"
            min={1}
            value={values.loginTrigger}
            error={errors.loginTrigger}
            onChange={({ target }) => onChange({ loginTrigger: target.value })}
          />
        )}
      </div>
      <div className="form-pair">
        <FormField
          ref={startField}
          label={LABELS.startDate}
          name="startDate"
          type="date"
          value={values.startDate}
          error={errors.startDate}
          onChange={({ target }) => onChange({ startDate: target.value })}
        />
        <FormField
          ref={endField}
          label={LABELS.endDate}
          name="endDate"
          type="date"
          value={values.endDate}
          error={errors.endDate}
          onChange={({ target }) => onChange({ endDate: target.value })}
        />
      </div>
      <p className="form-text editor-hint">Includes both dates. Days start and end at midnight UTC.</p>
    </>
  );
}

function isUnfinished({ current }: RefObject<HTMLInputElement | null>): boolean {
  return current?.validity.badInput ?? false;
}
