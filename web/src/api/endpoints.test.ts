import * as adminLog from '@casewatch/contracts/admin-log';
import * as adminSession from '@casewatch/contracts/admin-session';
import * as adminSurveys from '@casewatch/contracts/admin-surveys';
import * as billing from '@casewatch/contracts/billing';
import * as cases from '@casewatch/contracts/cases';
import * as exports from '@casewatch/contracts/exports';
import * as identity from '@casewatch/contracts/identity';
import * as monitoring from '@casewatch/contracts/monitoring';
import * as notifications from '@casewatch/contracts/notifications';
import * as surveys from '@casewatch/contracts/surveys';
import * as workspace from '@casewatch/contracts/workspace';
import { expect, test } from 'vitest';
import * as adminEndpoints from './admin-endpoints.ts';
import * as endpoints from './endpoints.ts';
import * as surveyEndpoints from './survey-endpoints.ts';

const contracts = new Map<string, { method: string; path: string }>();
for (const value of [
  billing,
  cases,
  exports,
  identity,
  monitoring,
  notifications,
  adminLog,
  adminSession,
  adminSurveys,
  surveys,
  workspace,
].flatMap((module): unknown[] => Object.values(module))) {
  if (isRoute(value)) contracts.set(value.id, value);
}

function isRoute(value: unknown): value is { id: string; method: string; path: string } {
  return typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value;
}

test.each(Object.entries({ ...endpoints, ...adminEndpoints, ...surveyEndpoints }))(
  '%s has the method and the path of its contract',
  (name, endpoint) => {
    const contract = contracts.get(name);
    expect(endpoint).toEqual({ method: contract?.method, path: contract?.path });
  },
);
