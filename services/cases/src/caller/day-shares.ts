import type { CallSource } from '../domain/agency.ts';

/** The calls of a day that are made or reserved. */
export interface DayUse {
  readonly calls: number;
  /** Of these, the scheduled checks'. */
  readonly monitorCalls: number;
}

export interface DayRule {
  readonly callsPerDay: number;
  /** The share of the day, 0 to 1, that scheduled checks are guaranteed. The rest is guaranteed to people. */
  readonly monitoringShare: number;
}

export const DAY_MS = 86_400_000;
/** People's calls run low when no more than this share of what they are guaranteed is left. */
export const LOW_WATER = 0.25;

/** Hides what fractions of a day lose in floating point. */
const ROUNDING = 1e-6;

/**
 * Returns the calls that one side may still have today, `nowMs` after midnight GMT. Each side's guaranteed share accrues evenly
 * over the day. What it does not use of the part that has accrued goes to the next caller; the part that is to come, as
 * far as it has not been used ahead of time, is kept.
 */
export function callsLeft(rule: DayRule, source: CallSource, used: DayUse, sinceMidnightMs: number): number {
  const other = source === 'user' ? 'monitor' : 'user';
  const kept = Math.min(
    guaranteed(rule, other) * (1 - sinceMidnightMs / DAY_MS),
    Math.max(0, guaranteed(rule, other) - usedBy(other, used)),
  );
  return Math.max(0, Math.floor(rule.callsPerDay - used.calls - kept + ROUNDING));
}

/** Returns the time until `callsLeft` is 1 or more, when nothing else is used until then. */
export function msUntilCallsLeft(
  rule: DayRule,
  source: CallSource,
  used: DayUse,
  sinceMidnightMs: number,
): number {
  const toMidnightMs = DAY_MS - sinceMidnightMs;
  if (callsLeft(rule, source, used, sinceMidnightMs) >= 1) return 0;
  const mayBeKept = rule.callsPerDay - used.calls - 1;
  if (mayBeKept < 0) return toMidnightMs;
  const kept = guaranteed(rule, source === 'user' ? 'monitor' : 'user');
  return Math.min(toMidnightMs, Math.ceil(toMidnightMs - (DAY_MS * mayBeKept) / kept));
}

/** Returns the calls left below which people share what is left by need, not by speed, from here on. */
export const lowWater = (rule: DayRule): number => Math.ceil(guaranteed(rule, 'user') * LOW_WATER);

/**
 * Returns how many calls a user may have had today to get one more of the `left` that are low: the same for everyone of one
 * weight (1: the heaviest), and never all that is left, so that later users find some; ever more as the day
 * ends. This is the dynamic threshold of Choudhury and Hahne, which gives weighted max-min fair shares.
 */
export function fairShare(left: number, weight: number, sinceMidnightMs: number): number {
  return (weight * left * DAY_MS) / (DAY_MS - sinceMidnightMs);
}

/** Returns the time until a user who has had `calls` may have one more, when nothing else is used until then. */
export function msUntilFairShare(
  calls: number,
  left: number,
  weight: number,
  sinceMidnightMs: number,
): number {
  const toMidnightMs = DAY_MS - sinceMidnightMs;
  return Math.max(1, Math.min(toMidnightMs, Math.floor(toMidnightMs - (weight * left * DAY_MS) / calls) + 1));
}

function guaranteed({ callsPerDay, monitoringShare }: DayRule, source: CallSource): number {
  const monitor = Math.floor(callsPerDay * monitoringShare);
  return source === 'monitor' ? monitor : callsPerDay - monitor;
}

const usedBy = (source: CallSource, { calls, monitorCalls }: DayUse) =>
  source === 'monitor' ? monitorCalls : calls - monitorCalls;
