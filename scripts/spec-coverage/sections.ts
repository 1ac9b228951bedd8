/**
 * The sections of the product specification and, of each, the lines that say what the product does. Headings, table
 * heads and blank lines are left out. Every one of these lines has a row in `docs/spec-coverage.md`.
 */
export const SECTIONS: Readonly<Record<string, string>> = {
  '1 Product': '7-12',
  '2 Routes': '20-27, 29',
  '2 Layout': '33, 35-37',
  '2 Home page': '41, 43-45',
  '2 Upgrade dialog': '49',
  '2 Saved cases': '53-59',
  '2 Profile': '63-66',
  '2 Upgrade': '70',
  '2 Sign-in': '74-77',
  '2 Landing page': '81',
  '2 Admin': '85-89',
  '2 Survey dialog': '93',
  '3 Entities': '97-110',
  '4 States': '114-125',
  '5 Validation': '129-139',
  '6 Permissions': '145-150, 152-155',
  '7 Calls': '159, 163-190, 192',
  '8 Lookups and saved cases': '197-199',
  '8 Authentication': '202-205',
  '8 Surveys': '208-211',
  '8 Admin': '214-215',
  '8 Payment': '218-227',
  '8 Other': '230-232',
  '9 Constants': '238-259',
};

/** Maps `7-9, 12` to 7, 8, 9, 12; undefined when it is not written like that. */
export function linesOf(text: string): number[] | undefined {
  if (!/^\d+(-\d+)?(, \d+(-\d+)?)*$/.test(text)) return undefined;
  return text.split(', ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
