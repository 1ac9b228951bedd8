import type { AgencyQueueNow } from '@casewatch/contracts/agency-queue';
import type { Subscription } from '@casewatch/contracts/billing';
import type { CaseStatusResult, SavedCase } from '@casewatch/contracts/cases';
import type { User } from '@casewatch/contracts/identity';
import { needsAction } from '@casewatch/contracts/status-guide';
import type { PendingSurvey } from '@casewatch/contracts/surveys';
import type { SavedCasesPage } from '@casewatch/contracts/workspace';

const AT = '2026-01-05T12:00:00.000Z';

export const FREE_USER: User = {
  id: '0198c0de-0000-7000-8000-000000000001',
  email: 'ada@example.test',
  firstName: 'Ada',
  lastName: 'Lovelace',
  role: null,
  tier: 'free',
  emailVerified: true,
  language: null,
};
export const PRO_USER: User = { ...FREE_USER, tier: 'pro' };

/** A whole answer of the lookup route. */
export function caseResult(receiptNumber: string, facts: Partial<CaseStatusResult> = {}): CaseStatusResult {
  return {
    receiptNumber,
    caseStatus: 'Case Was Received',
    needsAction: needsAction(facts.caseStatus),
    caseDescription: 'We received your case.',
    descriptionLinks: [],
    formType: 'I-130',
    applicationOrPetitionType: 'Petition for Alien Relative',
    caseSubstatus: 'Received',
    channelType: 'Online',
    caseCreationDate: null,
    caseLastUpdated: null,
    histCaseData: [],
    observedAt: AT,
    ...facts,
  };
}

/** An entry of the agency's history. */
export function historyEntry(
  caseStatus: string,
  statusHistDate: string | null,
  facts: Partial<CaseStatusResult['histCaseData'][number]> = {},
): CaseStatusResult['histCaseData'][number] {
  return { caseStatus, statusHistDate, source: 'agency', firstObservedAt: null, ...facts };
}

/** A whole entry of the saved list; its id follows from the receipt number. */
export function savedCase(receiptNumber: string, facts: Partial<SavedCase> = {}): SavedCase {
  return {
    id: `0198c0de-0000-7000-8000-00${receiptNumber.slice(3)}`,
    userId: FREE_USER.id,
    receiptNumber,
    nickname: null,
    monitoringFrequency: 'none',
    monitoringPausedAt: null,
    lastCheckedAt: null,
    lastKnownStatus: null,
    needsAction: needsAction(facts.lastKnownStatus),
    createdAt: AT,
    tags: [],
    archivedAt: null,
    snoozedUntil: null,
    formType: null,
    statusChangedAt: null,
    ...facts,
  };
}

/** A first page of the saved cases, as if there were no more. */
export function casesPage(cases: SavedCase[], facts: Partial<SavedCasesPage> = {}): SavedCasesPage {
  const counts = (values: (string | null)[]) =>
    [...new Set(values)].flatMap((value) =>
      value === null ? [] : [{ value, count: values.filter((one) => one === value).length }],
    );
  return {
    cases,
    next: null,
    summary: {
      matching: cases.length,
      active: cases.length,
      archived: 0,
      needsAction: cases.filter((one) => one.needsAction).length,
      statuses: counts(cases.map(({ lastKnownStatus }) => lastKnownStatus)),
      forms: counts(cases.map(({ formType }) => formType)),
      tags: counts(cases.flatMap(({ tags }) => tags)),
    },
    ...facts,
  };
}

/** The subscription of a user without one. */
export const NO_SUBSCRIPTION: Subscription = {
  tier: 'free',
  status: null,
  price: null,
  renewsAt: null,
  endsAt: null,
  trialEndsAt: null,
  endedAt: null,
  endReason: null,
  card: null,
  paymentFailed: false,
  canCancel: false,
  canResume: false,
  canSwitchToYearly: false,
  id: null,
  trialAvailable: true,
};

/** A survey that is due, with a question of each type; the text is optional. */
export function pendingSurvey(): PendingSurvey {
  const id = '0198c0de-0000-7000-8000-000000000010';
  const question = { surveyId: id, createdAt: AT, isRequired: true, options: [] };
  return {
    survey: {
      id,
      title: 'How is it going?',
      description: 'Two minutes.',
      isActive: true,
      frequency: 'daily',
      loginTrigger: 1,
      startDate: null,
      endDate: null,
      version: 1,
      createdAt: AT,
      updatedAt: AT,
    },
    questions: [
      {
        ...question,
        id: 'q1',
        orderIndex: 0,
        questionType: 'checkbox',
        questionText: 'What do you use?',
        options: ['Search', 'Alerts'],
      },
      {
        ...question,
        id: 'q2',
        orderIndex: 1,
        questionType: 'radio',
        questionText: 'Would you recommend it?',
        options: ['Yes', 'No'],
      },
      {
        ...question,
        id: 'q3',
        orderIndex: 2,
        questionType: 'text',
        questionText: 'What is missing?',
        isRequired: false,
      },
    ],
  };
}

/** Payments with a trial; the script is never loaded. */
export const BILLING_CONFIG = {
  offered: true,
  publishableKey: 'pk_test_sample',
  scriptUrl: null,
  testPayments: true,
  trialDays: 14,
  tax: null,
  promotionCodes: false,
};

/** A process calls the agency, and nothing waits. */
export const CALM_QUEUE: AgencyQueueNow = {
  caller: { name: 'casewatch-cases-7c9d8b6f5-x2x9k', since: '2026-01-05T10:00:00.000Z' },
  pausedUntil: null,
  quotaSpentUntil: null,
  budget: { callsPerDay: 10_000, usedToday: 4_321 },
  people: { lookups: 0, oldestMs: 0 },
  scheduledChecks: { lookups: 0, oldestMs: 0 },
  longest: [],
};
