const OFFICES: ReadonlyMap<string, string> = new Map([
  ['IOE', 'Online (IOE)'],
  ['EAC', 'Vermont Service Center'],
  ['VSC', 'Vermont Service Center'],
  ['WAC', 'California Service Center'],
  ['CSC', 'California Service Center'],
  ['LIN', 'Nebraska Service Center'],
  ['NSC', 'Nebraska Service Center'],
  ['SRC', 'Texas Service Center'],
  ['TSC', 'Texas Service Center'],
  ['MSC', 'National Benefits Center'],
  ['NBC', 'National Benefits Center'],
  ['YSC', 'Potomac Service Center'],
]);

/** Where a case was filed, from the prefix of its receipt number. Unknown prefixes are allowed. */
export function channelOf(receiptNumber: string): string {
  const prefix = receiptNumber.slice(0, 3);
  return OFFICES.get(prefix) ?? `Other (${prefix})`;
}
