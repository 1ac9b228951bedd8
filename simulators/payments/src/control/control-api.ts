import { readCommand } from '@casewatch/simulator-kit/read-command';
import type { z } from 'zod';
import { settlePayment } from '../billing/charge-intent.ts';
import { finishPaymentAuthentication } from '../billing/confirm-payment.ts';
import { finishSetupAuthentication } from '../billing/confirm-setup.ts';
import { advanceClock, runDueWork } from '../billing/due-work.ts';
import { closeDispute, openDispute } from '../billing/open-dispute.ts';
import { type Answer, jsonAnswer } from '../http/reply.ts';
import type { PaymentsState } from '../payments-state.ts';
import { resetState } from '../reset-state.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import {
  clockCommand,
  decisionCommand,
  disputeCommand,
  faultCommand,
  outcomeCommand,
  webhooksCommand,
} from './control-requests.ts';

export const CONTROL_PREFIX = '/__control';
const DAY_MS = 86_400_000;

export interface ControlRequest {
  method: string;
  /** Below the prefix, decoded: `/payments/pi_1/settle`, or empty. */
  path: string;
  contentType: string | undefined;
  body: string;
}

const DONE: Answer = { status: 204, headers: {}, body: '' };

/** Scripts the simulator; takes effect before it answers. Errors are `{"error": text}`. */
export async function answerControl(
  state: PaymentsState,
  webhooks: WebhookSender,
  request: ControlRequest,
): Promise<Answer> {
  const [, resource = '', id, action] = request.path.split('/');
  runDueWork(state);
  if (id !== undefined)
    return controlOne(state, webhooks, request, `${request.method} ${resource}`, id, action);
  switch (`${request.method} ${resource}`) {
    case 'PUT webhooks':
      return withCommand(request, webhooksCommand, (given) => {
        const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        return jsonAnswer(200, webhooks.change(named));
      });
    case 'GET webhooks':
      return jsonAnswer(200, { ...webhooks.settings(), ...webhooks.figures() });
    case 'POST clock':
      return withCommand(request, clockCommand, ({ advanceDays = 0, advanceSeconds = 0 }) => {
        advanceClock(state, advanceDays * DAY_MS + advanceSeconds * 1000);
        return jsonAnswer(200, { now: isoNow(state) });
      });
    case 'PUT faults':
      return withCommand(request, faultCommand, ({ mode, count, delayMs, path, method }) => {
        if (mode === 'none') state.faults.clear();
        else state.faults.set({ mode, delayMs, path, method }, count);
        return jsonAnswer(200, { fault: state.faults.current() ?? null });
      });
    case 'GET requests':
      return jsonAnswer(200, { requests: state.requests.all() });
    case 'DELETE requests':
      state.requests.clear();
      return DONE;
    case 'GET ':
      return jsonAnswer(200, overview(state, webhooks));
    case 'DELETE ':
      resetState(state);
      webhooks.reset();
      return DONE;
    default:
      return noControl();
  }
}

async function controlOne(
  state: PaymentsState,
  webhooks: WebhookSender,
  request: ControlRequest,
  command: string,
  id: string,
  action: string | undefined,
): Promise<Answer> {
  const { store } = state;
  if (command === 'POST webhooks' && id === 'flush' && action === undefined) {
    await webhooks.flush();
    return jsonAnswer(200, webhooks.figures());
  }
  if (command === 'POST payments' && action === 'settle') {
    const intent = store.paymentIntents.get(id);
    if (!intent) return refuse(404, `There is no payment ${id}`);
    return withCommand(request, outcomeCommand, ({ outcome }) => {
      settlePayment(state, intent, outcome);
      return jsonAnswer(200, intent);
    });
  }
  if (command === 'POST intents' && action === 'authenticate') {
    const intent = store.paymentIntents.get(id) ?? store.setupIntents.get(id);
    if (!intent) return refuse(404, `There is no intent ${id}`);
    return withCommand(request, outcomeCommand, ({ outcome }) => {
      if (intent.object === 'payment_intent') finishPaymentAuthentication(state, intent, outcome);
      else finishSetupAuthentication(state, intent, outcome);
      return jsonAnswer(200, intent);
    });
  }
  if (command === 'POST charges' && action === 'dispute') {
    const charge = store.charges.get(id);
    if (!charge) return refuse(404, `There is no charge ${id}`);
    return withCommand(request, disputeCommand, ({ reason }) =>
      jsonAnswer(200, openDispute(state, charge, reason)),
    );
  }
  if (command === 'POST disputes' && action === 'close') {
    const dispute = store.disputes.get(id);
    if (!dispute) return refuse(404, `There is no dispute ${id}`);
    return withCommand(request, decisionCommand, ({ outcome }) => {
      closeDispute(state, dispute, outcome);
      return jsonAnswer(200, dispute);
    });
  }
  if (command === 'POST events' && action === 'send') {
    const event = store.events.get(id);
    if (!event) return refuse(404, `There is no event ${id}`);
    webhooks.enqueue(event);
    return DONE;
  }
  return noControl();
}

function overview(state: PaymentsState, webhooks: WebhookSender): unknown {
  return {
    now: isoNow(state),
    webhooks: { ...webhooks.settings(), ...webhooks.figures() },
    fault: state.faults.current() ?? null,
    counts: Object.fromEntries(Object.entries(state.store).map(([name, map]) => [name, map.size])),
  };
}

function isoNow(state: PaymentsState): string {
  return new Date(state.clock.nowMs()).toISOString();
}

function withCommand<S extends z.ZodType>(
  request: ControlRequest,
  schema: S,
  run: (command: z.output<S>) => Answer,
): Answer {
  const read = readCommand(request, schema);
  return 'command' in read ? run(read.command) : refuse(read.status, read.fault);
}

function noControl(): Answer {
  return refuse(404, 'There is no such control');
}

function refuse(status: number, error: string): Answer {
  return jsonAnswer(status, { error });
}
