import { AccountMailRequestedSchema } from '@casewatch/proto/account_mail_requested';
import { AdminActedSchema } from '@casewatch/proto/admin_acted';
import { CaseObservedSchema } from '@casewatch/proto/case_observed';
import { CaseWatchChangedSchema } from '@casewatch/proto/case_watch_changed';
import { CaseWatchesListedSchema } from '@casewatch/proto/case_watches_listed';
import { LookupsRecordedSchema } from '@casewatch/proto/lookups_recorded';
import { PlanMilestoneReachedSchema } from '@casewatch/proto/plan_milestone_reached';
import { SavedCasesChangedSchema } from '@casewatch/proto/saved_cases_changed';
import { StatusChangedSchema } from '@casewatch/proto/status_changed';
import { SubscriptionChangedSchema } from '@casewatch/proto/subscription_changed';
import { UserChangedSchema } from '@casewatch/proto/user_changed';
import { UserDeletedSchema } from '@casewatch/proto/user_deleted';
import { UserLoggedInSchema } from '@casewatch/proto/user_logged_in';
import { UserSessionsEndedSchema } from '@casewatch/proto/user_sessions_ended';
import { UserSignedUpSchema } from '@casewatch/proto/user_signed_up';
import { defineEventType } from './event-type.ts';
import { MONITORING_FREQUENCIES, PLAN_END_REASONS, PLAN_MILESTONES, TIERS } from './limits.ts';

/** The origin of a call to the agency. */
export const CHECK_SOURCES = ['user', 'monitor'] as const;
/** What the agency answers about a case: only the first comes with a status. */
export const ANSWER_OUTCOMES = ['observed', 'not-recognized', 'refused'] as const;

export const userSignedUp = defineEventType(UserSignedUpSchema);
export const userLoggedIn = defineEventType(UserLoggedInSchema);
export const userSessionsEnded = defineEventType(UserSessionsEndedSchema);
export const userChanged = defineEventType(UserChangedSchema, { tier: TIERS });
export const userDeleted = defineEventType(UserDeletedSchema);
export const accountMailRequested = defineEventType(AccountMailRequestedSchema);
export const adminActed = defineEventType(AdminActedSchema);
export const subscriptionChanged = defineEventType(SubscriptionChangedSchema, { tier: TIERS });
export const planMilestoneReached = defineEventType(PlanMilestoneReachedSchema, {
  milestone: PLAN_MILESTONES,
  reason: PLAN_END_REASONS,
});
export const caseWatchChanged = defineEventType(CaseWatchChangedSchema, {
  frequency: MONITORING_FREQUENCIES,
});
export const caseWatchesListed = defineEventType(CaseWatchesListedSchema);
export const savedCasesChanged = defineEventType(SavedCasesChangedSchema);
export const caseObserved = defineEventType(CaseObservedSchema, {
  source: CHECK_SOURCES,
  outcome: ANSWER_OUTCOMES,
});
export const lookupsRecorded = defineEventType(LookupsRecordedSchema);
export const statusChanged = defineEventType(StatusChangedSchema);
