/** `N400`, `n-400` and `N-400` are one form; what looks like no form number stays as it is. */
export function normaliseFormType(formType: string): string {
  const trimmed = formType.trim();
  const parts = /^([A-Z]{1,4})[\s-]?([0-9]+[A-Z0-9]*)$/i.exec(trimmed);
  return parts ? `${parts[1]}-${parts[2]}`.toUpperCase() : trimmed;
}
