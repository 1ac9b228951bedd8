import type { User } from '@casewatch/contracts/identity';
import type { Answer } from '@casewatch/contracts/surveys';
import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText, hasCode } from '../../api/api-error.ts';
import {
  isPendingSurvey,
  refreshPending,
  settleSurvey,
  useAnswerSurvey,
  usePendingSurveys,
  useSkipSurvey,
} from '../../api/surveys.ts';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { readSkipped, writeSkipped } from '../../lib/skipped-surveys.ts';
import { SurveyDialog } from './survey-dialog.tsx';

/**
 * Shows the first survey that is due and was not skipped in this session, over any screen. It stays, with what was
 * entered, while it is due, whichever comes first in a later list.
 */
export function SurveyPrompt({ user }: { user: User }) {
  const { data: pending = [] } = usePendingSurveys();
  const { skipped, remember, forget } = useSkippedSurveys(user.id);
  const { mutateAsync, isPending } = useAnswerSurvey();
  const { mutate: skip } = useSkipSurvey();
  const client = useQueryClient();
  const toast = useToast();
  const report = useErrorToast();

  const [shownId, setShownId] = useState<string>();
  const open = pending.filter(({ survey }) => !skipped.includes(survey.id));
  const due = open.find(({ survey }) => survey.id === shownId) ?? open[0];
  if (due?.survey.id !== shownId) setShownId(due?.survey.id);
  if (due === undefined) return null;
  const { survey } = due;

  const submit = async (responses: Answer[]) => {
    try {
      await mutateAsync({ surveyId: survey.id, responses, version: survey.version });
    } catch (error) {
      return showFailure(error);
    }
    forget(survey.id);
    toast({ title: t`Thank you!`, description: t`Your feedback has been submitted successfully.` });
  };

  const showFailure = async (error: unknown) => {
    if (hasCode(error, 'ALREADY_ANSWERED')) {
      settleSurvey(client, survey.id);
      return toast({
        title: t`Already answered`,
        description: failureText(error, t`You have already answered this survey.`),
      });
    }
    if (hasCode(error, 'NOT_FOUND')) {
      settleSurvey(client, survey.id);
      return toast({
        title: t`Survey closed`,
        description: failureText(error, t`This survey is no longer open.`),
      });
    }
    if (hasCode(error, 'SURVEY_CHANGED')) {
      await refreshPending(client);
      return report(
        error,
        isPendingSurvey(client, survey.id)
          ? t`This survey has changed. Please review it and submit again.`
          : failureText(error, t`This survey is no longer open.`),
        t`Survey changed`,
      );
    }
    report(error, t`Failed to submit survey. Please try again.`);
  };

  return (
    <SurveyDialog
      key={survey.id}
      pending={due}
      isSubmitting={isPending}
      onSubmit={(responses) => void submit(responses)}
      onSkip={() => {
        remember(survey.id);
        skip(survey.id);
      }}
    />
  );
}

/** The surveys that the user has skipped since signing in, in this tab. */
function useSkippedSurveys(userId: string) {
  const [skipped, setSkipped] = useState(() => readSkipped(openStore, userId));
  const keep = (ids: readonly string[]) => {
    setSkipped(ids);
    writeSkipped(openStore, userId, ids);
  };
  return {
    skipped,
    remember: (surveyId: string) => keep([...skipped.filter((id) => id !== surveyId), surveyId]),
    forget: (surveyId: string) => keep(skipped.filter((id) => id !== surveyId)),
  };
}

function openStore(): Storage {
  return window.sessionStorage;
}
