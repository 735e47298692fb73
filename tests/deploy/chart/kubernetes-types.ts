import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from './rendered.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Checks objects against the types of the Kubernetes API, and returns the compiler's messages; empty if there are none.
 * Unlike a JSON schema, the compiler also refuses members that Kubernetes does not know and would drop.
 */
export function findTypeFaults(objects: readonly KubernetesObject[]): string {
  // Inside the checkout, so that the compiler finds node_modules.
  const directory = mkdtempSync(join(root, 'node_modules', '.chart-'));
  try {
    const file = join(directory, 'objects.ts');
    writeFileSync(file, objects.map(toStatement).join('\n'));
    const { stdout } = spawnSync(
      'tsc',
      ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', file],
      { cwd: directory, encoding: 'utf8' },
    );
    return stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const toStatement = ({ apiVersion, kind, ...rest }: KubernetesObject, index: number): string => {
  const group = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`;
  const object = JSON.stringify({ apiVersion, kind, ...rest }, null, 2);
  return `import type { I${kind} as Type${index} } from 'kubernetes-models/${group.replace(/^core\//, '')}';
export const object${index}: Type${index} = ${object};`;
};
