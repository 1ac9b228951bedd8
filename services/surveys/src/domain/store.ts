import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import type { EventType } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { AcceptedAnswer } from './check-answers.ts';

interface Tables {
  readonly surveys: Surveys;
  readonly people: People;
  readonly results: Results;
}

/** The port to the database. */
export interface Store extends Tables {
  /** Runs `work` in one transaction: all of its changes and events happen, or none. */
  transaction<T>(work: (inside: Work) => Promise<T>): Promise<T>;
}

export interface Work extends Tables {
  publish<Payload>(event: EventType<Payload>, payload: Payload): Promise<void>;
}

/** Questions are in the order in which they are shown. */
export interface Surveys {
  /** Newest first. */
  listAll(): Promise<AdminSurvey[]>;
  find(id: string): Promise<Survey | undefined>;
  /**
   * Reads the survey and keeps it from changing until the transaction ends: `share` lets others do the same, `update`
   * is for changing it or its questions.
   */
  lock(id: string, mode: 'share' | 'update'): Promise<Survey | undefined>;
  add(survey: Survey): Promise<void>;
  change(survey: Survey): Promise<void>;
  /** With its questions and everything that people answered. */
  remove(id: string): Promise<void>;
  questionsOf(surveyIds: readonly string[]): Promise<SurveyQuestion[]>;
  findQuestion(id: string): Promise<SurveyQuestion | undefined>;
  addQuestions(questions: readonly SurveyQuestion[]): Promise<void>;
  changeQuestion(question: SurveyQuestion): Promise<void>;
  /** With its answers. */
  removeQuestion(id: string): Promise<void>;
}

/** When a person was last shown a survey. */
export interface Shown {
  atMs: number;
  /** Their sign-ins until then. */
  loginCount: number;
}

/** An active survey that the person has not answered, with when they were last shown it. */
export interface Candidate {
  survey: Survey;
  shown: Shown | undefined;
}

export interface People {
  candidatesFor(userId: string): Promise<{ loginCount: number; candidates: Candidate[] }>;
  /**
   * Locks the person's data against other transactions until this one ends; resolves to the number of logins
   * so far, or undefined when they have been deleted.
   */
  lock(userId: string): Promise<number | undefined>;
  /** Nothing happens when they have answered it. */
  recordSkip(userId: string, surveyId: string, shown: Shown): Promise<void>;
  /** Resolves to false, and nothing happens, when they have answered it. */
  recordAnswer(userId: string, surveyId: string, shown: Shown): Promise<boolean>;
  addAnswers(
    userId: string,
    surveyId: string,
    answers: readonly AcceptedAnswer[],
    nowMs: number,
  ): Promise<void>;
}

/** What events of other services change, in the transaction that marks them as handled. */
export interface UserRows {
  /** The count only grows, so that late and repeated events have no effect; a deleted person's does not change. */
  countLogin(tx: SqlExecutor, userId: string, loginCount: number): Promise<void>;
  /** Erases the person's data and leaves the tombstone. */
  erase(tx: SqlExecutor, userId: string, nowMs: number): Promise<void>;
}

export interface Respondent {
  userId: string;
  /** When they answered. */
  atMs: number;
}

export interface StoredAnswer {
  userId: string;
  questionId: string;
  responseText: string | null;
  responseOptions: string[];
}

export interface TextAnswer {
  id: string;
  text: string;
  createdAt: string;
}

export interface ChoiceCount {
  answered: number;
  options: ReadonlyMap<string, number>;
}

export interface Results {
  /** The numbers of users that answered, and of users that skipped and have not answered. */
  countPeople(surveyId: string): Promise<{ responseCount: number; skipCount: number }>;
  /** How many people answered each question. */
  countAnswers(questionIds: readonly string[]): Promise<Map<string, number>>;
  /** The same for questions of choice, with how many people chose each option. */
  countChoices(questionIds: readonly string[]): Promise<Map<string, ChoiceCount>>;
  /** Newest first. */
  texts(questionId: string, page: { limit: number; before?: string | undefined }): Promise<TextAnswer[]>;
  /** In the order of their answers. */
  respondents(
    surveyId: string,
    page: { limit: number; after?: Respondent | undefined },
  ): Promise<Respondent[]>;
  answersOf(userIds: readonly string[], questionIds: readonly string[]): Promise<StoredAnswer[]>;
}
