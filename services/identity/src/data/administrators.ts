import { ADMIN_ROLES } from '@casewatch/contracts/admin-roles';
import { z } from 'zod';
import { emailKey } from '../domain/account/account.ts';
import type { Administrator } from '../domain/admin/administrator.ts';
import type { Administrators } from '../domain/store.ts';
import type { Prisma, Administrator as Row } from '../generated/client.ts';

const role = z.enum(ADMIN_ROLES);

/** Returns the named administrators in the table `administrators`, inside or outside of a transaction. */
export function administratorsOf(db: Prisma.TransactionClient): Administrators {
  const change = async (id: string, data: Prisma.AdministratorUncheckedUpdateInput) => {
    await db.administrator.update({ where: { id }, data });
  };
  return {
    async list() {
      return (await db.administrator.findMany({ orderBy: { emailKey: 'asc' } })).map(toAdministrator);
    },
    async byEmail(email) {
      return orUndefined(await db.administrator.findUnique({ where: { emailKey: emailKey(email) } }));
    },
    async byInvitation(tokenHash) {
      return orUndefined(await db.administrator.findUnique({ where: { invitationHash: tokenHash } }));
    },
    async lock(id) {
      await db.$queryRaw`SELECT 1 FROM administrators WHERE id = ${id}::uuid FOR UPDATE`;
      return orUndefined(await db.administrator.findUnique({ where: { id } }));
    },
    async byProvider({ issuer, subject }) {
      const oidcIssuer_oidcSubject = { oidcIssuer: issuer, oidcSubject: subject };
      return orUndefined(await db.administrator.findUnique({ where: { oidcIssuer_oidcSubject } }));
    },
    async lockActiveOwners({ issuer }) {
      const rows = await db.$queryRaw<{ id: string }[]>`
        SELECT id FROM administrators
        WHERE role = 'owner' AND (password_hash IS NOT NULL OR oidc_issuer = ${issuer ?? null}::text
          OR starts_with(oidc_issuer, ${anyTenantOf(issuer)}::text))
        ORDER BY id FOR UPDATE`;
      return rows.map(({ id }) => id);
    },
    async create({ id, email, role, name, createdAtMs, invitation, provider }) {
      const { count } = await db.administrator.createMany({
        data: {
          id,
          email,
          emailKey: emailKey(email),
          role,
          name,
          createdAt: new Date(createdAtMs),
          recoveryHashes: [],
          ...invitationColumns(invitation),
          ...providerColumns(provider),
        },
        skipDuplicates: true,
      });
      return count === 1;
    },
    setInvitation: (id, invitation) => change(id, invitationColumns(invitation)),
    setRole: (id, role, how) => change(id, { role, ...(how ? { oidcGivesRole: true } : {}) }),
    link: ({ id, name, role, provider }) =>
      change(id, { name, role, ...invitationColumns(null), ...providerColumns(provider) }),
    async endAccess(id) {
      await db.passkey.deleteMany({ where: { administratorId: id } });
      await db.passkeyChallenge.deleteMany({ where: { administratorId: id } });
      await change(id, {
        passwordHash: null,
        sealedTotpKey: null,
        deviceKey: null,
        recoveryHashes: [],
        ...invitationColumns(null),
        ...providerColumns(null),
      });
    },
    recordSignIn: (id, nowMs) => change(id, { lastSignInAt: new Date(nowMs) }),
    accept: (id, { name, credentials, recoveryHashes, step }) =>
      change(id, {
        name,
        ...credentials,
        recoveryHashes: [...recoveryHashes],
        totpStep: step,
        ...invitationColumns(null),
      }),
    async useSecondFactor(id, factor) {
      const rows =
        'step' in factor
          ? await db.$queryRaw`
              UPDATE administrators SET totp_step = ${factor.step}
              WHERE id = ${id}::uuid AND (totp_step IS NULL OR totp_step < ${factor.step}) RETURNING 1`
          : await db.$queryRaw`
              UPDATE administrators SET recovery_hashes = array_remove(recovery_hashes, ${factor.recoveryHash})
              WHERE id = ${id}::uuid AND ${factor.recoveryHash} = ANY (recovery_hashes) RETURNING 1`;
      return Array.isArray(rows) && rows.length === 1;
    },
    async remove(id) {
      await db.administrator.delete({ where: { id } });
    },
  };
}

/** How the issuers of Microsoft Entra ID and Azure AD B2C begin: each names a tenant in place of what is configured. */
function anyTenantOf(issuer: string | undefined): string | null {
  if (issuer === undefined) return null;
  const { origin, hostname } = new URL(issuer);
  return /^login\.microsoftonline\.com$|\.b2clogin\.com$/.test(hostname) ? `${origin}/` : null;
}

function invitationColumns(invitation: Administrator['invitation']) {
  return {
    invitationHash: invitation?.tokenHash ?? null,
    invitationTotpKey: invitation?.totpKey ?? null,
    invitationExpiresAt: invitation ? new Date(invitation.expiresAtMs) : null,
  };
}

function providerColumns(provider: Administrator['provider']) {
  return {
    oidcIssuer: provider?.issuer ?? null,
    oidcSubject: provider?.subject ?? null,
    oidcGivesRole: provider?.givesRole ?? false,
  };
}

const orUndefined = (row: Row | null) => (row === null ? undefined : toAdministrator(row));

function toAdministrator(row: Row): Administrator {
  const { passwordHash, sealedTotpKey, deviceKey, invitationHash, invitationTotpKey, invitationExpiresAt } =
    row;
  const hasCredentials = passwordHash !== null && sealedTotpKey !== null && deviceKey !== null;
  const isInvited = invitationHash !== null && invitationTotpKey !== null && invitationExpiresAt !== null;
  return {
    id: row.id,
    email: row.email,
    role: role.parse(row.role),
    name: row.name,
    credentials: hasCredentials ? { passwordHash, sealedTotpKey, deviceKey } : null,
    invitation: isInvited
      ? { tokenHash: invitationHash, totpKey: invitationTotpKey, expiresAtMs: invitationExpiresAt.getTime() }
      : null,
    provider:
      row.oidcIssuer !== null && row.oidcSubject !== null
        ? { issuer: row.oidcIssuer, subject: row.oidcSubject, givesRole: row.oidcGivesRole }
        : null,
    createdAtMs: row.createdAt.getTime(),
    lastSignInAtMs: row.lastSignInAt?.getTime() ?? null,
  };
}
