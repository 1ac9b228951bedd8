import { ADMIN_ROLES, type AdminRole } from '@casewatch/contracts/admin-roles';
import { type Administrator, inviteBody } from '@casewatch/contracts/administrators';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { ownAddress } from './evaluation.ts';
import { parseWords, UsageError } from './events-command/command.ts';
import { databaseUrlOf } from './events-command/open-schemas.ts';
import { runOperatorCommand } from './operator-command.ts';

const USAGE = `npm run admins -- <command>

  invite <e-mail> --role <role>   makes an administrator: owner (everything), auditor (reads, personal data masked) or
                                  survey-editor (surveys only); prints a link that works once, for three days
  renew <e-mail>                  a new link, by which name, password and authenticator app are set again
  list                            the administrators and those who are invited

Where: the database of DATABASE_URL, else the one that "npm start" or "npm run start:distributed" runs now on DATA_DIR
(.casewatch). Links begin with PUBLIC_URL.

Exit code: 0 done; 1 it could not be done; 2 the words were wrong.`;

type Command =
  | { name: 'help' }
  | { name: 'list' }
  | { name: 'invite'; email: string; role: AdminRole }
  | { name: 'renew'; email: string };

/** Runs `npm run admins -- …`, and `admins …` of the image. Sets the exit code. */
export function runAdminsCommand(words: readonly string[]): Promise<void> {
  return runOperatorCommand(USAGE, async (say) => {
    const command = readAdminsCommand(words);
    if (command.name === 'help') {
      say(USAGE);
      return true;
    }
    const { service } = await import('@casewatch/identity/service');
    const { openAdministratorsCommand } = await import('@casewatch/identity/administrators-command');
    const { PUBLIC_URL } = readSettings(
      { PUBLIC_URL: service.settings.PUBLIC_URL },
      { ...process.env, ...ownAddress(process.env) },
    );
    const url = databaseUrlOf(process.env, 'identity');
    if (command.name !== 'list') requirePublicUrl(process.env, url);
    const administrators = openAdministratorsCommand({
      url,
      publicUrl: PUBLIC_URL,
      clock: systemClock,
      bus: createOutboxPublisher({ clock: systemClock }),
      logger: createLogger({ level: 'error', name: 'admins' }),
    });
    try {
      if (command.name === 'list') {
        for (const each of await administrators.list()) say(lineOf(each));
      } else {
        const { name, email } = command;
        const link = await (name === 'invite'
          ? administrators.invite(email, command.role)
          : administrators.renew(email));
        say(`Send this link to ${email}. It works once, for three days:`);
        say(link);
      }
      return true;
    } finally {
      await administrators.close();
    }
  });
}

/** Reads the words behind `npm run admins --`. @throws UsageError that says what would be right */
export function readAdminsCommand(words: readonly string[]): Command {
  const { values, positionals } = parseWords(words, {
    role: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  const [name, email, ...rest] = positionals;
  if (values.help || name === undefined) return { name: 'help' };
  if (rest.length > 0) throw new UsageError(`What is ${rest.join(' ')}?`);
  if (name === 'list' && email === undefined) return { name };
  if (name !== 'invite' && name !== 'renew') throw new UsageError(`What is ${name}?`);
  const address = inviteBody.shape.email.safeParse(email).data;
  if (address === undefined) throw new UsageError(`${name} needs an e-mail address.`);
  if (name === 'renew') return { name, email: address };
  const role = ADMIN_ROLES.find((each) => each === values.role);
  if (!role) throw new UsageError(`--role is one of ${ADMIN_ROLES.join(', ')}.`);
  return { name, email: address, role };
}

/** Checks that a link will not lead to this machine when the product runs on another one. @throws UsageError */
export function requirePublicUrl({ PUBLIC_URL }: NodeJS.ProcessEnv, databaseUrl: string): void {
  const { hostname } = new URL(databaseUrl);
  if (PUBLIC_URL || /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
  throw new UsageError('Set PUBLIC_URL to where people open the product: the link begins with it.');
}

function lineOf({ email, name, role, isActive, invitedUntil }: Administrator): string {
  const state = isActive ? (name ?? '') : 'has not accepted yet';
  const until = invitedUntil ? `, invited until ${invitedUntil}` : '';
  return `${role.padEnd(14)} ${email}  ${state}${until}`;
}
