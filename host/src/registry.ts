import { service as adminLog } from '@casewatch/admin-log/service';
import { service as billing } from '@casewatch/billing/service';
import { service as cases } from '@casewatch/cases/service';
import { service as identity } from '@casewatch/identity/service';
import { service as monitoring } from '@casewatch/monitoring/service';
import { service as notifications } from '@casewatch/notifications/service';
import type { ServiceDefinition } from '@casewatch/platform/runtime/service-definition';
import { service as surveys } from '@casewatch/surveys/service';

/** Every service of the product, in the order they start. */
export const registry: readonly ServiceDefinition[] = [
  identity,
  cases,
  monitoring,
  notifications,
  billing,
  surveys,
  adminLog,
];
