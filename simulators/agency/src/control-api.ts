import { readCommand } from '@casewatch/simulator-kit/control-api';
import { z } from 'zod';
import { noonOf } from './agency-dates.ts';
import { type AgencyAnswer, ERROR_SHAPES, jsonReply } from './agency-reply.ts';
import { type AgencyState, resetState } from './agency-state.ts';
import { POPULATIONS } from './case-store.ts';
import type { FaultPlace } from './faults.ts';
import { FAULT_MODES } from './faults.ts';
import { statusDocument } from './status-document.ts';

export const CONTROL_PREFIX = '/__control';

/** 3 letters and 10 digits, or an asterisk and 9 digits: everything a case can be asked by. */
const receiptNumber = z
  .string()
  .regex(/^[A-Z]{3}(?:[0-9]{10}|\*[0-9]{9})$/, 'must be 3 capital letters followed by 10 digits');

const statusTitle = z.string().trim().min(1).max(200);
const DEFAULT_SLOW_MS = 5_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** What the control API accepts: one schema per command. */
const moveCommand = z.strictObject({
  status: statusTitle,
  date: z.iso.date().optional(),
  next: z.array(statusTitle).max(100).optional(),
});

const faultCommand = z
  .strictObject({
    mode: z.enum(['none', ...FAULT_MODES]),
    endpoint: z.enum(['status', 'token']).default('status'),
    receiptNumber: receiptNumber.optional(),
    count: z.int().positive().optional(),
    shape: z.enum(ERROR_SHAPES).optional(),
    delayMs: z.int().nonnegative().max(3_600_000).default(DEFAULT_SLOW_MS),
  })
  .refine((problem) => problem.endpoint === 'status' || problem.receiptNumber === undefined, {
    message: 'the token endpoint knows no receipt number',
    path: ['receiptNumber'],
  });

const limitsCommand = z.strictObject({
  callsPerSecond: z.int().nonnegative().optional(),
  callsPerDay: z.int().nonnegative().optional(),
  openingHours: z.enum(['always', 'sandbox']).optional(),
});

const populationCommand = z.strictObject({ population: z.enum(POPULATIONS) });

const latencyCommand = z.strictObject({ ms: z.int().nonnegative().max(3_600_000) });

const clockCommand = z.strictObject({ advanceMs: z.int().nonnegative().max(TEN_YEARS_MS) });

export interface ControlRequest {
  method: string;
  /** Below the prefix, decoded: `/cases/EAC9999103403`, or empty. */
  path: string;
  query: URLSearchParams;
  contentType: string | undefined;
  body: string;
}

const DONE: AgencyAnswer = { status: 204, contentType: 'application/json', body: '' };

/** Scripts the simulator; takes effect before it answers. Errors are `{"error": text}`. */
export function answerControl(state: AgencyState, request: ControlRequest): AgencyAnswer {
  const [, resource = '', name, ...more] = request.path.split('/');
  if (more.length > 0 || (name !== undefined && resource !== 'cases'))
    return refuse(404, 'There is no such control');
  switch (`${request.method} ${resource}`) {
    case 'PUT cases':
      return withCommand(request, moveCommand, ({ status, date, next }) => {
        const parsed = receiptNumber.safeParse(name);
        if (!parsed.success) return refuseFaults(parsed.error);
        const atMs = date === undefined ? state.clock.nowMs() : noonOf(date);
        return jsonReply(200, statusDocument(state.cases.move(parsed.data, status, atMs, next)));
      });
    case 'PUT faults':
      return withCommand(request, faultCommand, (command) => setFault(state, command));
    case 'PUT limits':
      return withCommand(request, limitsCommand, (given) => {
        state.limits.change(given);
        return jsonReply(200, state.limits.current());
      });
    case 'PUT population':
      return withCommand(request, populationCommand, ({ population }) => {
        state.population = population;
        return jsonReply(200, { population });
      });
    case 'PUT latency':
      return withCommand(request, latencyCommand, ({ ms }) => {
        state.latencyMs = ms;
        return jsonReply(200, { ms });
      });
    case 'POST clock':
      return withCommand(request, clockCommand, ({ advanceMs }) => {
        state.clock.advance(advanceMs);
        return jsonReply(200, { now: isoNow(state) });
      });
    case 'GET calls':
      return jsonReply(200, state.calls.figures(request.query.get('receiptNumber') ?? undefined));
    case 'DELETE calls':
      state.calls.reset();
      state.tokens.resetCount();
      return DONE;
    case 'DELETE tokens':
      state.tokens.revokeAll();
      return DONE;
    case 'GET ':
      return jsonReply(200, overview(state));
    case 'DELETE ':
      resetState(state);
      return DONE;
    default:
      return refuse(404, 'There is no such control');
  }
}

function setFault(state: AgencyState, command: z.output<typeof faultCommand>): AgencyAnswer {
  const { mode, endpoint, receiptNumber, count, shape, delayMs } = command;
  const place: FaultPlace = endpoint === 'token' ? { endpoint } : { endpoint, receiptNumber };
  if (mode !== 'none') state.faults.set(place, { mode, shape, delayMs }, count);
  else if (receiptNumber !== undefined || endpoint === 'token') state.faults.clear(place);
  else state.faults.clear();
  return jsonReply(200, { faults: state.faults.list() });
}

function overview(state: AgencyState): unknown {
  return {
    now: isoNow(state),
    limits: state.limits.current(),
    latencyMs: state.latencyMs,
    population: state.population,
    faults: state.faults.list(),
    calls: state.calls.figures(),
    tokensIssued: state.tokens.issued(),
  };
}

function isoNow(state: AgencyState): string {
  return new Date(state.clock.nowMs()).toISOString();
}

function withCommand<S extends z.ZodType>(
  request: ControlRequest,
  schema: S,
  run: (command: z.output<S>) => AgencyAnswer,
): AgencyAnswer {
  const read = readCommand(request, schema);
  return 'command' in read ? run(read.command) : refuse(read.status, read.problem);
}

function refuseFaults(error: z.ZodError): AgencyAnswer {
  return refuse(
    400,
    error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; '),
  );
}

function refuse(status: number, error: string): AgencyAnswer {
  return jsonReply(status, { error });
}
