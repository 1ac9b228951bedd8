import type { CustomerDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { invalidRequest } from '../stripe-error.ts';

const DEFAULT_LIMIT = 10;
const CLAUSE = /^(-?)(?:(email|name|phone)|metadata\[(['"])(.*?)\3\])\s*([:~])\s*(['"])(.*)\6$/;

/**
 * `email:'a@b.c' AND metadata['userId']:'1'`, clauses joined by AND or by OR, `-` before one denies it, `~` looks for
 * a part. The real search lags behind writes by up to a minute; this one does not.
 */
export function searchCustomers(
  state: PaymentsState,
  {
    query,
    limit = DEFAULT_LIMIT,
    page,
  }: { query: string; limit?: number | undefined; page?: string | undefined },
): unknown {
  const matches = readQuery(query);
  const found = [...state.store.customers.values()].filter(
    (customer) => !customer.deleted && matches(customer),
  );
  const start = page === undefined ? 0 : Number(page) || 0;
  const has_more = start + limit < found.length;
  return {
    object: 'search_result',
    data: found.reverse().slice(start, start + limit),
    has_more,
    next_page: has_more ? String(start + limit) : null,
    url: '/v1/customers/search',
  };
}

function readQuery(query: string): (customer: CustomerDoc) => boolean {
  const hasAnd = / AND /i.test(query);
  const hasOr = / OR /i.test(query);
  if (hasAnd && hasOr) throw invalidRequest('You cannot combine AND and OR in one search query.', 'query');
  const clauses = query.split(hasOr ? / OR /i : / AND /i).map((clause) => readClause(clause.trim()));
  return (customer) =>
    hasOr ? clauses.some((clause) => clause(customer)) : clauses.every((clause) => clause(customer));
}

function readClause(clause: string): (customer: CustomerDoc) => boolean {
  const parts = CLAUSE.exec(clause);
  if (!parts) throw invalidRequest(`We were unable to parse your search query at: ${clause}`, 'query');
  const [, minus, field, , key, operator, , wanted = ''] = parts;
  return (customer) => {
    const value = key === undefined ? Reflect.get(customer, field ?? '') : customer.metadata[key];
    if (typeof value !== 'string') return minus === '-';
    const matches =
      operator === ':'
        ? value.toLowerCase() === wanted.toLowerCase()
        : value.toLowerCase().includes(wanted.toLowerCase());
    return matches !== (minus === '-');
  };
}
