/** The receipt numbers that the agency's sandbox publishes, by what they show. */
export const WITH_HISTORY: readonly string[] = [
  ...numbers('EAC9999103', [403, 404, 405, 410, 411, 416, 419]),
  ...numbers('LIN9999106', [498, 499, 504, 505, 506]),
  ...numbers('SRC9999102', [777, 778, 779, 780, 781, 782, 783, 784, 785, 786, 787]),
  ...numbers('SRC9999132', [710, 719]),
];

export const WITHOUT_HISTORY: readonly string[] = [
  ...numbers('EAC9999103', [400, 402, 406, 407, 408, 409, 412, 413, 414, 415, 420, 421]),
  ...numbers('EAC9999103', [424, 425, 426, 428, 429, 431, 432]),
  ...numbers('LIN9999106', [501, 507]),
  ...numbers('SRC9999132', [694, 695, 706, 707]),
];

/** A good part of the sandbox answers 200 with a body that is not JSON; here these, all of them without history. */
export const NOT_JSON: readonly string[] = [
  ...numbers('EAC9999103', [402, 407, 413, 421, 426, 431]),
  ...numbers('LIN9999106', [507]),
  ...numbers('SRC9999132', [695, 707]),
];

function numbers(start: string, ends: readonly number[]): string[] {
  return ends.map((end) => `${start}${end}`);
}
