/** Keys given are set, or removed by an empty text; all are removed by an empty text in place of the record. */
export function mergeMetadata(
  before: Record<string, string>,
  given: Record<string, string> | '',
): Record<string, string> {
  if (given === '') return {};
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''));
}
