import type { ApiRoute } from '../http/api-route.ts';
import { catalogRoutes } from './catalog.ts';
import { chargeRoutes } from './charges.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './events.ts';
import { intentRoutes } from './intents.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { portalSessionRoutes } from './portal-sessions.ts';
import { subscriptionRoutes } from './subscriptions.ts';

/** Everything of the API that is spoken here. */
export const apiRoutes: readonly ApiRoute[] = [
  ...customerRoutes,
  ...catalogRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...intentRoutes,
  ...paymentMethodRoutes,
  ...chargeRoutes,
  ...portalSessionRoutes,
  ...eventRoutes,
];

/** The route of a path and the ids in it; a fixed part goes before an id. */
export function findRoute(method: string, path: string): { route: ApiRoute; ids: string[] } | undefined {
  const parts = path.split('/');
  const found = apiRoutes
    .filter((route) => route.method === method)
    .flatMap((route) => {
      const ids = idsIn(route.path.split('/'), parts);
      return ids ? [{ route, ids }] : [];
    });
  return found.sort((one, other) => one.ids.length - other.ids.length)[0];
}

function idsIn(pattern: string[], parts: string[]): string[] | undefined {
  if (pattern.length !== parts.length) return undefined;
  const ids: string[] = [];
  for (const [index, part] of parts.entries()) {
    const expected = pattern[index] ?? '';
    if (expected.startsWith(':') && part !== '') ids.push(part);
    else if (expected !== part) return undefined;
  }
  return ids;
}
