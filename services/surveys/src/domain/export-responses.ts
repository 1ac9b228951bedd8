import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import { type Editor, record } from './edit.ts';
import type { Respondent, Results, StoredAnswer } from './store.ts';
import type { SurveysService } from './surveys-service.ts';
import { surveyNotFound } from './surveys-service.ts';

/** People read at a time: memory does not grow with the number of responses. */
const PAGE = 500;

/**
 * Returns the responses as CSV, a row per person in the order of their answers, piece by piece. Reading them is published to the
 * audit trail. @returns the pieces, and the file's name: the survey's title and the date (UTC). @throws AppError NOT_FOUND
 */
export async function exportResponses(
  { store, clock }: SurveysService,
  editor: Editor,
  id: string,
): Promise<{ pieces: AsyncGenerator<string>; fileName: string }> {
  const { questions, title } = await store.transaction(async (work) => {
    const survey = await work.surveys.lock(id, 'share');
    if (!survey) throw surveyNotFound();
    await record(work, editor, 'survey.exported', `survey:${id}`, { title: survey.title });
    return { questions: await work.surveys.questionsOf([id]), title: survey.title };
  });
  const date = new Date(clock.nowMs()).toISOString().slice(0, 10);
  return {
    pieces: csv(store.results, id, questions),
    fileName: `casewatch-survey-${slugOf(title)}${date}.csv`,
  };
}

const SLUG_MAX = 60;

/** The letters and digits of a title, as every file system and header takes them, and a hyphen; empty without any. */
function slugOf(title: string): string {
  const words =
    title
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, SLUG_MAX).replace(/-$/, '');
  return slug === '' ? '' : `${slug}-`;
}

async function* csv(
  results: Results,
  surveyId: string,
  questions: readonly SurveyQuestion[],
): AsyncGenerator<string> {
  yield CSV_START + csvRow(['Answered at', 'User ID', ...questions.map(({ questionText }) => questionText)]);
  const questionIds = questions.map(({ id }) => id);
  let after: Respondent | undefined;
  do {
    const people = await results.respondents(surveyId, { limit: PAGE, after });
    const answers = await results.answersOf(
      people.map(({ userId }) => userId),
      questionIds,
    );
    const byCell = new Map(answers.map((answer) => [`${answer.userId} ${answer.questionId}`, answer]));
    yield people
      .map(({ userId, atMs }) =>
        csvRow([
          new Date(atMs).toISOString(),
          userId,
          ...questionIds.map((questionId) => cellOf(byCell.get(`${userId} ${questionId}`))),
        ]),
      )
      .join('');
    after = people.length === PAGE ? people.at(-1) : undefined;
  } while (after);
}

function cellOf(answer: StoredAnswer | undefined): string {
  return answer?.responseText ?? answer?.responseOptions.join('; ') ?? '';
}
