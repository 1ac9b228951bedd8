import { z } from 'zod';
import { idOf, route } from '../http/api-route.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { flag, pageParams, text, timeRange } from '../http/params.ts';
import { resourceMissing } from '../stripe-error.ts';

const listParams = z.strictObject({
  ...pageParams,
  created: timeRange.optional(),
  delivery_success: flag.optional(),
  type: text.optional(),
  types: z.array(text).max(20).optional(),
});

export const eventRoutes = [
  route('GET', '/v1/events', listParams, ({ state }, { created, delivery_success, type, types, ...page }) =>
    listPage(
      [...state.store.events.values()].filter(
        (event) =>
          (type === undefined || matches(event.type, type)) &&
          (types === undefined || types.includes(event.type)) &&
          (delivery_success === undefined || (event.pending_webhooks === 0) === delivery_success) &&
          isWithin(event.created, created),
      ),
      '/v1/events',
      page,
    ),
  ),
  route('GET', '/v1/events/:id', z.strictObject({}), (call) => {
    const event = call.state.store.events.get(idOf(call));
    if (!event) throw resourceMissing('event', idOf(call));
    return event;
  }),
];

/** `invoice.*` stands for all that begin so. */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
