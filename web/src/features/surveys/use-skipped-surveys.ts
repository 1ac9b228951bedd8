import { useState } from 'react';
import { readSkipped, writeSkipped } from '../../lib/skipped-surveys.ts';

/** The surveys that the user has skipped since signing in, in this tab. */
export function useSkippedSurveys(userId: string) {
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
