/** The image's entry: without a word it runs the roles that SERVICES names, else the program named. */
const [name = 'serve', ...words] = process.argv.slice(2);
const programs: Record<string, () => Promise<unknown>> = {
  serve: () => import('./main.ts'),
  migrate: () => import('./migrate-command.ts'),
  events: async () => (await import('./events-command/run-events-command.ts')).runEventsCommand(words),
  accounts: async () => (await import('./accounts-command.ts')).runAccountsCommand(words),
  admins: async () => (await import('./admins-command.ts')).runAdminsCommand(words),
  audit: async () => (await import('./audit-command.ts')).runAuditCommand(words),
  prices: async () => (await import('./prices-command.ts')).runPricesCommand(words),
  'smoke-test': () => import('./smoke-test.ts'),
  'agency-simulator': () => import('@casewatch/agency-simulator/main'),
  'payments-simulator': () => import('@casewatch/payments-simulator/main'),
};

const program = programs[name];
if (program) {
  await program();
} else {
  console.error(`There is no program "${name}"; known: ${Object.keys(programs).join(', ')}.`);
  process.exitCode = 2;
}
