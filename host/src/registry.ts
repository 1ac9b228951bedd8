import { service as cases } from '@casewatch/cases/service';
import { service as identity } from '@casewatch/identity/service';
import { service as monitoring } from '@casewatch/monitoring/service';
import { service as notifications } from '@casewatch/notifications/service';
import type { ServiceDefinition } from '@casewatch/platform/runtime/service-definition';

/** Every service of the product, in the order they start. */
export const registry: readonly ServiceDefinition[] = [identity, cases, monitoring, notifications];
