// A bill of materials (CycloneDX 1.5, JSON) of packages as package-lock.json has them.

/** `folders` are keys of the lock file's `packages`; those of our own workspaces are left out. */
export function billOfMaterials({ name, version, license, lock, folders }) {
  const components = folders
    .filter((folder) => folder.startsWith('node_modules/'))
    .map((folder) => component(folder, lock[folder]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: licenses(license) } },
    components,
  };
}

function component(folder, { name, version, license, integrity, resolved }) {
  const full = name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [scope, bare] = full.startsWith('@') ? full.split('/') : [undefined, full];
  return {
    type: 'library',
    ...(scope ? { group: scope } : {}),
    name: bare,
    version,
    purl: `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${bare}@${version}`,
    ...(license ? { licenses: licenses(license) } : {}),
    ...(integrity ? { hashes: [hash(integrity)] } : {}),
    ...(resolved ? { externalReferences: [{ type: 'distribution', url: resolved }] } : {}),
  };
}

/** An SPDX expression where it is one, else the words that the package has. */
function licenses(license) {
  const isExpression = /^[A-Za-z0-9.+-]+( (OR|AND|WITH) [A-Za-z0-9.+-]+)*$|^\(.*\)$/.test(license);
  return [isExpression ? { expression: license } : { license: { name: license } }];
}

/** npm's `sha512-<base64>` as CycloneDX writes it. */
function hash(integrity) {
  const [algorithm, digest] = integrity.split(' ')[0].split('-', 2);
  const content = Buffer.from(digest, 'base64').toString('hex');
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content };
}
