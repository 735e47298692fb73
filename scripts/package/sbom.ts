import packageJson from '../../package.json' with { type: 'json' };
import type { ShippedPackage } from './shipped-packages.ts';

/**
 * Returns the software bill of materials in CycloneDX 1.6: every package of npm that a release contains, with its license and
 * the checksum of the archive that npm installed. What the makers of a package compiled into it isn't listed.
 */
export function billOfMaterials(packages: readonly ShippedPackage[], createdAt: Date): string {
  const { name, version, license } = packageJson;
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: createdAt.toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', name, version, licenses: [{ license: { id: license } }] },
    },
    components: packages.map(toComponent),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function toComponent({ name, version, license, integrity, path, parts }: ShippedPackage): object {
  const [group, unscoped] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: parts.includes('sample') ? 'data' : 'library',
    'bom-ref': path,
    ...(group !== undefined && { group }),
    name: unscoped,
    version,
    // A choice of licenses is an expression, not an id.
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
    // By this, scanners find the known vulnerabilities of Node.js.
    ...(parts.includes('runtime') && { cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*` }),
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
    ],
    properties: parts.map((part) => ({ name: 'atrium:part', value: part })),
  };
}
