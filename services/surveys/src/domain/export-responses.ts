import type { SurveyQuestion } from '@casewatch/contracts/surveys';
import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import { type Editor, record } from './edit.ts';
import { surveyGone } from './refusals.ts';
import type { Respondent, Results, StoredAnswer } from './store.ts';
import type { SurveysService } from './surveys-service.ts';

/** People read at a time: memory does not grow with the number of responses. */
const PAGE = 500;

/**
 * The responses as CSV, a row per person in the order of their answers, piece by piece. Who reads them is told to the
 * audit trail. @throws AppError NOT_FOUND
 */
export async function exportResponses(
  { store }: SurveysService,
  editor: Editor,
  id: string,
): Promise<AsyncGenerator<string>> {
  const questions = await store.transaction(async (work) => {
    const survey = await work.surveys.lock(id, 'share');
    if (!survey) throw surveyGone();
    await record(work, editor, 'survey.exported', `survey:${id}`, { title: survey.title });
    return work.surveys.questionsOf([id]);
  });
  return csv(store.results, id, questions);
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
