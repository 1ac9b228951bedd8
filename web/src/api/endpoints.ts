// In the browser these are `{ method, path }` alone: see `scripts/contract-endpoints.ts`.
export * from '@casewatch/contracts/account-recovery';
export * from '@casewatch/contracts/admin-log';
export * from '@casewatch/contracts/admin-session';
export * from '@casewatch/contracts/admin-surveys';
export * from '@casewatch/contracts/administrators';
export * from '@casewatch/contracts/billing';
export * from '@casewatch/contracts/cases';
export * from '@casewatch/contracts/exports';
export * from '@casewatch/contracts/identity';
export * from '@casewatch/contracts/monitoring';
export * from '@casewatch/contracts/my-data';
export * from '@casewatch/contracts/notifications';
export * from '@casewatch/contracts/passkeys';
export * from '@casewatch/contracts/surveys';
export * from '@casewatch/contracts/workspace';
