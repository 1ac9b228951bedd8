import { z } from 'zod';
import { liveCustomer } from '../billing/lookups.ts';
import type { PortalSessionDoc } from '../documents.ts';
import { route } from '../http/api-route.ts';
import { text } from '../http/params.ts';
import { newId, randomText } from '../ids.ts';

const createParams = z.strictObject({
  configuration: text.optional(),
  customer: text,
  locale: text.optional(),
  return_url: z.url().optional(),
});

export const portalSessionRoutes = [
  route('POST', '/v1/billing_portal/sessions', createParams, ({ state }, given) => {
    const customer = liveCustomer(state, given.customer, 'customer');
    const session: PortalSessionDoc = {
      id: newId('bps'),
      object: 'billing_portal.session',
      after_expiration: null,
      configuration: given.configuration ?? 'bpc_CasewatchDefault',
      created: state.clock.nowSeconds(),
      customer: customer.id,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: null,
      on_behalf_of: null,
      return_url: given.return_url ?? null,
      url: `${state.baseUrl}/pages/portal/${randomText(40)}`,
    };
    state.store.portalSessions.set(session.id, session);
    return session;
  }),
];
