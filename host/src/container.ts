/** The image's entry: without a word it runs the roles that SERVICES names, else the program named. */
const programs: Record<string, () => Promise<unknown>> = {
  serve: () => import('./main.ts'),
  migrate: () => import('./migrate-command.ts'),
  events: async () => {
    const { runEventsCommand } = await import('./events-command/run-events-command.ts');
    await runEventsCommand(process.argv.slice(3));
  },
  accounts: async () => {
    const { runAccountsCommand } = await import('./accounts-command.ts');
    await runAccountsCommand(process.argv.slice(3));
  },
  admins: async () => {
    const { runAdminsCommand } = await import('./admins-command.ts');
    await runAdminsCommand(process.argv.slice(3));
  },
  audit: async () => {
    const { runAuditCommand } = await import('./audit-command.ts');
    await runAuditCommand(process.argv.slice(3));
  },
  prices: async () => {
    const { runPricesCommand } = await import('./prices-command.ts');
    await runPricesCommand(process.argv.slice(3));
  },
  'smoke-test': () => import('./smoke-test.ts'),
  'agency-simulator': () => import('@casewatch/agency-simulator/main'),
  'payments-simulator': () => import('@casewatch/payments-simulator/main'),
};

const name = process.argv[2] ?? 'serve';
const program = programs[name];
if (program) {
  await program();
} else {
  console.error(`There is no program "${name}"; known: ${Object.keys(programs).join(', ')}.`);
  process.exitCode = 2;
}
