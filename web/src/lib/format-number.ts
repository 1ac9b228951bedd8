import { i18n } from '@lingui/core';

/** A number as people write it in the language of the page: `1,234`. */
export function count(value: number): string {
  return value.toLocaleString(i18n.locale);
}
