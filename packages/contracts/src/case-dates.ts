import { z } from 'zod';
import { CASE_DATE_KINDS, isRealDay } from './case-date-kinds.ts';
import { fieldMessage } from './field-texts.ts';
import { CASE_DATE_LABEL_MAX, CASE_DATES_MAX } from './limits.ts';
import { text } from './text.ts';

/** A day of the calendar in no time zone, as a notice prints it. */
export const calendarDay = z
  .string()
  .refine(isRealDay, fieldMessage('day-invalid'))
  .meta({
    pattern: '^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
    description: 'A day that exists.',
    examples: ['2026-12-24'],
  });

/** What a person enters of a date. */
export const enteredDate = z.strictObject({
  kind: z.enum(CASE_DATE_KINDS),
  day: calendarDay,
  label: text({
    max: [CASE_DATE_LABEL_MAX, 'date-label-max'],
    invisible: 'date-label-invisible',
    example: 'Bring the original certificate',
  })
    .nullable()
    .optional(),
  done: z.boolean().default(false).meta({ description: 'Done: there are no more reminders.' }),
});
export type EnteredDate = z.output<typeof enteredDate>;

export const enteredDates = z.array(enteredDate).max(CASE_DATES_MAX, fieldMessage('dates-max'));

export const caseDate = z
  .object({
    id: z.uuid(),
    kind: z.enum(CASE_DATE_KINDS),
    day: z.iso.date().meta({ description: 'As the notice prints it, in no time zone.' }),
    label: z.string().nullable(),
    doneAt: z.iso.datetime().nullable().meta({ description: 'null: still open.' }),
    setAt: z.iso
      .datetime()
      .meta({ description: 'Since when it is open with this day: reminders of before are not made up for.' }),
  })
  .meta({ id: 'CaseDate' });
export type CaseDate = z.output<typeof caseDate>;
