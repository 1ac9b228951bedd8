import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { haveBaseImages } from '../../../containers/src/base-images.ts';
import { type ContainerEngine, startContainerEngine } from '../../../containers/src/engine.ts';
import { BASE_IMAGE, buildProductImage } from '../../../containers/src/product-image.ts';
import { DNS_IMAGE } from './cluster-dns.ts';
import { PAUSE_IMAGE } from './node-config.ts';
import { type NodeTool, nodeTool } from './node-tools.ts';

const programFile = fileURLToPath(new URL('../images/program/Dockerfile', import.meta.url));
const faultyFolder = fileURLToPath(new URL('../images/faulty/', import.meta.url));
export const PRODUCT_REPOSITORY = 'localhost/casewatch';
/** Of the same source: what an upgrade and a rollback need is two names. */
export const VERSIONS = ['1.0.0', '1.1.0'] as const;
/** Versions that can't be brought up, as targets of `images/faulty/Dockerfile`. */
export const FAULTY_VERSIONS = ['never-ready', 'bad-migration'] as const;

/** Archives of the product's image and of those that a node needs itself. `remove` deletes them. */
export async function makePodImages(): Promise<{ archives: string[]; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-pod-images-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const engine = await startContainerEngine();
  try {
    await haveBaseImages(engine, [BASE_IMAGE]);
    await buildProgramImage(engine, folder, 'pause', PAUSE_IMAGE);
    await buildProgramImage(engine, folder, 'coredns', DNS_IMAGE);
    const first = `${PRODUCT_REPOSITORY}:${VERSIONS[0]}`;
    const second = `${PRODUCT_REPOSITORY}:${VERSIONS[1]}`;
    await buildProductImage(engine, first);
    await engine.docker(['tag', first, second]);
    const product = [first, second];
    for (const target of FAULTY_VERSIONS) {
      const tag = `${PRODUCT_REPOSITORY}:${target}`;
      const words = ['build', '--network', 'host', '--tag', tag, '--target', target];
      await engine.docker([...words, '--build-arg', `PRODUCT=${first}`, faultyFolder]);
      product.push(tag);
    }
    const archive = path.join(folder, 'images.tar');
    await engine.docker(['save', '--output', archive, PAUSE_IMAGE, DNS_IMAGE, ...product]);
    return { archives: [archive], remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    await engine.stop();
  }
}

async function buildProgramImage(
  engine: ContainerEngine,
  folder: string,
  program: NodeTool,
  tag: string,
): Promise<void> {
  copyFileSync(await nodeTool(program), path.join(folder, program));
  copyFileSync(programFile, path.join(folder, 'Dockerfile'));
  await engine.docker(['build', '--tag', tag, '--build-arg', `PROGRAM=${program}`, folder]);
}
