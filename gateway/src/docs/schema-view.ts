import type { JsonSchema } from '@casewatch/contracts/openapi-document';
import { type Html, html } from './html.ts';

const COMPONENT = '#/components/schemas/';
/** Longer lists of values are shown as a count. */
const MAX_VALUES_SHOWN = 8;

/** Returns an object's fields as a list, nested objects within; anything else as its type. */
export function renderFields(schema: JsonSchema): Html {
  const { properties, required = [] } = schema;
  if (!properties) return html`<p>${renderType(schema)}</p>`;
  return html`<dl>${Object.entries(properties).map(([name, field]) => {
    if (typeof field === 'boolean') return html``;
    return html`<dt><code>${name}</code> ${renderType(field)}${required.includes(name) ? '' : ' (optional)'}</dt><dd>${field.description ?? ''}${nested(field)}</dd>`;
  })}</dl>`;
}

/** Returns a type in one line, such as `list of SavedCase` or `text, at most 100 characters, or null`. */
export function renderType(schema: JsonSchema): Html {
  if (schema.$ref?.startsWith(COMPONENT)) {
    const name = schema.$ref.slice(COMPONENT.length);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf) return either(schema.anyOf);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return html`${values(schema.enum)}`;
  const items = schema.items;
  if (schema.type === 'array' && items && typeof items === 'object' && !Array.isArray(items)) {
    return html`list of ${renderType(items)}${limits(schema, 'item')}`;
  }
  const types = [schema.type ?? 'any value'].flat().map((type) => (type === 'string' ? 'text' : type));
  const format = schema.format ? ` (${schema.format})` : '';
  return html`${types.join(' or ')}${format}${limits(schema, 'character')}`;
}

function nested(field: JsonSchema): Html {
  const items =
    field.items && typeof field.items === 'object' && !Array.isArray(field.items) ? field.items : {};
  if (field.properties) return renderFields(field);
  return items.properties ? renderFields(items) : html``;
}

function either(options: readonly JsonSchema[]): Html {
  return html`${options.map((option, index) => html`${index === 0 ? '' : ' or '}${renderType(option)}`)}`;
}

function values(all: readonly unknown[]): Html {
  if (all.length > MAX_VALUES_SHOWN) return html`one of ${all.length} values`;
  return html`${all.map((value, index) => html`${index === 0 ? '' : ' | '}<code>${JSON.stringify(value)}</code>`)}`;
}

function limits(schema: JsonSchema, unit: 'character' | 'item'): string {
  const [least, most] =
    unit === 'item' ? [schema.minItems, schema.maxItems] : [schema.minLength, schema.maxLength];
  const parts = [
    ...(least ? [`at least ${least} ${unit}${least === 1 ? '' : 's'}`] : []),
    ...(most === undefined ? [] : [`at most ${most} ${unit}${most === 1 ? '' : 's'}`]),
  ];
  return parts.map((part) => `, ${part}`).join('');
}
