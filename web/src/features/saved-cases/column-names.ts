import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { SORT_NAMES } from './workspace-query.ts';

const NAMES: Readonly<Record<string, MessageDescriptor>> = {
  ...SORT_NAMES,
  action: msg`Needs action`,
  tags: msg`Tags`,
  checked: msg`Last Checked`,
};
/** Returns what a column is called in the language of the page. */
export function columnName(id: string): string {
  const name = NAMES[id];
  return name ? i18n._(name) : id;
}

/** The columns that may be hidden: without its name or its number a case can't be told from others. */
export const OPTIONAL_COLUMNS = [
  'status',
  'action',
  'form',
  'changed',
  'date',
  'monitoring',
  'tags',
  'checked',
  'created',
];
