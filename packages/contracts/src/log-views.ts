import { z } from 'zod';
import { LOG_VIEW_NAME_MAX, LOG_VIEWS_MAX } from './limits.ts';
import { defineRoute } from './route-contract.ts';

const viewFields = {
  name: z.string().min(1).max(LOG_VIEW_NAME_MAX),
  query: z.string().max(2_000).meta({ description: "The query of the view's address, without `?`." }),
};
export const logView = z.object({ id: z.uuid(), ...viewFields }).meta({ id: 'LogView' });
export type LogView = z.output<typeof logView>;

const own = { service: 'admin-log', access: 'admin', permission: 'own-log-views' } as const;
const views = z.array(logView).meta({ description: 'By name.' });

export const listLogViews = defineRoute({
  ...own,
  id: 'listLogViews',
  method: 'GET',
  path: '/api/admin/logs/views',
  summary: "The signed-in administrator's saved views of the log",
  description: 'The passcode belongs to no one and has none.',
  answer: views,
});

export const saveLogViews = defineRoute({
  ...own,
  id: 'saveLogViews',
  method: 'PUT',
  path: '/api/admin/logs/views',
  summary: 'Save views of the log, all of them or none',
  description: 'A view replaces the one with the same name. The others stay. Refused for the passcode.',
  body: z.strictObject({ views: z.array(z.strictObject(viewFields)).min(1).max(LOG_VIEWS_MAX) }),
  answer: views,
  errors: ['LOG_VIEW_LIMIT'],
  next: [{ operationId: 'removeLogView', parameters: { id: '/0/id' } }],
});

export const removeLogView = defineRoute({
  ...own,
  id: 'removeLogView',
  method: 'DELETE',
  path: '/api/admin/logs/views/:id',
  summary: 'Remove a saved view of the signed-in administrator',
  params: z.object({ id: z.uuid() }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['NOT_FOUND'],
});
