export interface NotesOptions {
  version: string;
  notes: string;
  revision: string;
  platforms: readonly string[];
  /** Of the image for all platforms. */
  digest: string;
  /** Whether the image has its base below. */
  runs: boolean;
}

/** Returns what an operator reads before an upgrade: how to check the files, how to install them, and what has changed. */
export function releaseNotes({ version, notes, revision, platforms, digest, runs }: NotesOptions): string {
  const file = `casewatch-${version}`;
  return `# Casewatch ${version}

From commit ${revision}, for ${platforms.join(' and ')}.
${runs ? '' : '\n**A trial: no base image was given, so that the image holds the layers of the product alone and does not run.**\n'}
## Check

The signature is Ed25519, by OpenSSL 3. Compare \`signing-key.pem\` with the key of the release before.

\`\`\`sh
openssl pkeyutl -verify -pubin -inkey signing-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
sha256sum --check SHA256SUMS
\`\`\`

## Install

The image keeps its digest in a registry of yours; the chart names it (\`image.digest\`), so that only \`image.repository\` is yours to
set. \`${file}.cdx.json\` is the bill of materials (CycloneDX).

\`\`\`sh
skopeo copy --all oci-archive:${file}.oci.tar:${version} docker://registry.example.com/casewatch:${version}
helm upgrade --install casewatch ${file}.tgz -n casewatch -f values.yaml --wait --timeout 10m --rollback-on-failure
\`\`\`

With Argo CD or Flux, have your registry hold the chart, too: \`helm push ${file}.tgz oci://registry.example.com/charts\`.

Image: \`${digest}\`. \`UPGRADING.md\` in the chart says what to do for this version.

${notes.replace(/^###/gm, '##')}
`;
}
