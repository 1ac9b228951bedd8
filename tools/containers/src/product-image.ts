import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ContainerEngine } from './engine.ts';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));
export const BASE_IMAGE = 'node:26.10.0-bookworm-slim';

/** Returns the machine's own authorities, for a build behind a proxy with a certificate of its own. */
export function caBundle(): string | undefined {
  const given = process.env.CA_BUNDLE || process.env.NODE_EXTRA_CA_CERTS;
  return given && existsSync(given) ? given : undefined;
}

/** Builds the product's image from the repository as it is. */
export async function buildProductImage(engine: ContainerEngine, tag: string): Promise<void> {
  const bundle = caBundle();
  await engine.docker([
    ...['build', '--network', 'host', '--tag', tag],
    ...(bundle ? ['--secret', `id=ca,src=${bundle}`] : []),
    repository,
  ]);
}
