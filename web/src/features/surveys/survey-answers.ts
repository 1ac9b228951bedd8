import type { Answer, SurveyQuestion } from '@casewatch/contracts/surveys';

/** What has been entered for one question so far: a text, or the options chosen in the order of the question. */
export interface Entry {
  text: string;
  options: readonly string[];
}

/** By question id; a question without an entry is untouched. */
export type Entries = Readonly<Record<string, Entry>>;

const NOTHING: Entry = { text: '', options: [] };

/** Returns what is entered for a question; options that the question does not offer (any more) don't count. */
export function entryFor(entries: Entries, question: SurveyQuestion): Entry {
  const { text, options } = entries[question.id] ?? NOTHING;
  return { text, options: question.options.filter((option) => options.includes(option)) };
}

/** Chooses an option: the only one for radio, added or removed for checkbox. */
export function withChoice(entry: Entry, question: SurveyQuestion, option: string): Entry {
  if (question.questionType === 'radio') return { ...entry, options: [option] };
  const chosen = entry.options.includes(option)
    ? entry.options.filter((one) => one !== option)
    : [...entry.options, option];
  return { ...entry, options: question.options.filter((one) => chosen.includes(one)) };
}

/** Returns the required questions that have no answer yet, in order. White space alone is no answer. */
export function unansweredRequired(
  questions: readonly SurveyQuestion[],
  entries: Entries,
): readonly SurveyQuestion[] {
  return questions.filter(
    (question) => question.isRequired && !isAnswered(question, entryFor(entries, question)),
  );
}

/** Returns the answers to send: one for each question that has been answered. */
export function answersOf(questions: readonly SurveyQuestion[], entries: Entries): Answer[] {
  const answers: Answer[] = [];
  for (const question of questions) {
    const { text, options } = entryFor(entries, question);
    if (!isAnswered(question, { text, options })) continue;
    answers.push(
      question.questionType === 'text'
        ? { questionId: question.id, responseText: text.trim() }
        : { questionId: question.id, responseOptions: [...options] },
    );
  }
  return answers;
}

/** Returns the questions in their order; equal ones as the server sent them. */
export function inOrder(questions: readonly SurveyQuestion[]): SurveyQuestion[] {
  return [...questions].sort((a, b) => a.orderIndex - b.orderIndex);
}

function isAnswered({ questionType }: SurveyQuestion, entry: Entry): boolean {
  return questionType === 'text' ? entry.text.trim() !== '' : entry.options.length > 0;
}
