import { readCommand } from '@casewatch/simulator-kit/control-api';
import { z } from 'zod';
import { closeDispute, openDispute } from '../billing/charges.ts';
import { advanceClock, runDueWork } from '../billing/due-work.ts';
import { finishAuthentication, settlePayment } from '../billing/intents.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import type { PaymentsState } from '../state.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import { BEHAVIOR } from './behavior.ts';
import { FAULT_MODES } from './faults.ts';

export const CONTROL_PREFIX = '/__control';
const DAY_MS = 86_400_000;
const TEN_YEARS_DAYS = 3_650;

const webhooksCommand = z.strictObject({
  duplicate: z.boolean().optional(),
  shuffle: z.boolean().optional(),
  drop: z.int().nonnegative().max(1_000_000).optional(),
  paused: z.boolean().optional(),
});
const clockCommand = z.strictObject({ advanceDays: z.number().nonnegative().max(TEN_YEARS_DAYS) });
const faultCommand = z.strictObject({
  mode: z.enum(['none', ...FAULT_MODES]),
  count: z.int().positive().optional(),
  path: z.string().startsWith('/v1/').default('/v1/'),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
});
const behaviorCommand = z
  .strictObject({
    trialCard: z.enum(BEHAVIOR.trialCard),
    portalCard: z.enum(BEHAVIOR.portalCard),
    detachedCard: z.enum(BEHAVIOR.detachedCard),
    setupAfterTrial: z.enum(BEHAVIOR.setupAfterTrial),
    switchAuthentication: z.enum(BEHAVIOR.switchAuthentication),
    paidSwitch: z.enum(BEHAVIOR.paidSwitch),
    switchOfEnded: z.enum(BEHAVIOR.switchOfEnded),
    previewTax: z.enum(BEHAVIOR.previewTax),
    taxPlace: z.enum(BEHAVIOR.taxPlace),
    onceOverTrial: z.enum(BEHAVIOR.onceOverTrial),
    redemption: z.enum(BEHAVIOR.redemption),
  })
  .partial();
const outcomeCommand = z.strictObject({ outcome: z.enum(['succeeded', 'failed']).default('succeeded') });
const decisionCommand = z.strictObject({ outcome: z.enum(['won', 'lost']) });

export interface ControlRequest {
  method: string;
  /** Below the prefix, decoded: `/payments/pi_1/settle`, or empty. */
  path: string;
  contentType: string | undefined;
  body: string;
}

/** Scripts the simulator; takes effect before it answers. Errors are `{"error": text}`. */
export function answerControl(
  state: PaymentsState,
  webhooks: WebhookSender,
  request: ControlRequest,
): Answer {
  const [, resource = '', id, action] = request.path.split('/');
  runDueWork(state);
  if (id !== undefined) return controlOne(state, request, `${request.method} ${resource} ${action}`, id);
  switch (`${request.method} ${resource}`) {
    case 'PUT webhooks':
      return withCommand(request, webhooksCommand, (given) => {
        const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        return jsonAnswer(200, webhooks.change(named));
      });
    case 'GET webhooks':
      return jsonAnswer(200, webhooks.status());
    case 'POST clock':
      return withCommand(request, clockCommand, ({ advanceDays }) => {
        advanceClock(state, advanceDays * DAY_MS);
        return jsonAnswer(200, { now: isoNow(state) });
      });
    case 'PUT faults':
      return withCommand(request, faultCommand, ({ mode, count, path, method }) => {
        if (mode === 'none') state.faults.clear();
        else state.faults.set({ mode, path, method }, count);
        return jsonAnswer(200, { mode });
      });
    case 'PUT behavior':
      return withCommand(request, behaviorCommand, (given) => {
        state.behaviorControl.change(given);
        return jsonAnswer(200, state.behaviorControl.status());
      });
    case 'GET behavior':
      return jsonAnswer(200, state.behaviorControl.status());
    case 'GET requests':
      return jsonAnswer(200, { requests: state.requests.all() });
    case 'DELETE requests':
      state.requests.clear();
      return { status: 204, headers: {}, body: '' };
    case 'GET ':
      return jsonAnswer(200, { now: isoNow(state), webhooks: webhooks.status() });
    default:
      return noControl();
  }
}

/** Does what the customer or the bank would do with one document. */
function controlOne(state: PaymentsState, request: ControlRequest, command: string, id: string): Answer {
  const { store } = state;
  if (command === 'POST payments settle') {
    return withDocument(request, outcomeCommand, store.paymentIntents.get(id), (intent, { outcome }) =>
      settlePayment(state, intent, outcome),
    );
  }
  if (command === 'POST intents authenticate') {
    const found = store.paymentIntents.get(id) ?? store.setupIntents.get(id);
    return withDocument(request, outcomeCommand, found, (intent, { outcome }) =>
      finishAuthentication(state, intent, outcome),
    );
  }
  if (command === 'POST charges dispute') {
    return withDocument(request, z.strictObject({}), store.charges.get(id), (charge) =>
      openDispute(state, charge),
    );
  }
  if (command === 'POST disputes close') {
    return withDocument(request, decisionCommand, store.disputes.get(id), (dispute, { outcome }) =>
      closeDispute(state, dispute, outcome),
    );
  }
  return noControl();
}

/** Answers with what `run` made, or else with the document. */
function withDocument<T, S extends z.ZodType>(
  request: ControlRequest,
  schema: S,
  document: T | undefined,
  run: (document: T, command: z.output<S>) => unknown,
): Answer {
  if (document === undefined) return refuse(404, 'There is no such document');
  return withCommand(request, schema, (command) => jsonAnswer(200, run(document, command) ?? document));
}

function withCommand<S extends z.ZodType>(
  request: ControlRequest,
  schema: S,
  run: (command: z.output<S>) => Answer,
): Answer {
  const read = readCommand(request, schema);
  return 'command' in read ? run(read.command) : refuse(read.status, read.problem);
}

function isoNow(state: PaymentsState): string {
  return new Date(state.clock.nowMs()).toISOString();
}

function noControl(): Answer {
  return refuse(404, 'There is no such control');
}

function refuse(status: number, error: string): Answer {
  return jsonAnswer(status, { error });
}
