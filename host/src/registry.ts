import type { ServiceDefinition } from '@casewatch/platform/runtime/service-definition';

/** Every service of the product, in the order they start. */
export const registry: readonly ServiceDefinition[] = [];
