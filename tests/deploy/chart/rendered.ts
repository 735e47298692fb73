import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';

export const chart = join(import.meta.dirname, '..', '..', '..', 'deploy', 'helm', 'atrium');
const program = join(import.meta.dirname, 'render.go');
/** Where Debian's packages of Go libraries are. */
const libraries = '/usr/share/gocode';

/** An object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

const run = (words: readonly string[], input: string) =>
  spawnSync('go', words, {
    input,
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'off', GOPATH: libraries, GOFLAGS: '' },
  });

/** Returns why charts can't be rendered here, or undefined. */
export function whyNotRendered(): string | undefined {
  const { status } = run(['list', 'github.com/Masterminds/sprig', 'gopkg.in/yaml.v3'], '');
  return status === 0 ? undefined : 'Go with the libraries sprig and yaml.v3 is not installed';
}

/** Returns the objects that the chart renders with these values. Throws the message with which it refuses them. */
export function renderChart(values: object): readonly KubernetesObject[] {
  const { status, stdout, stderr } = run(['run', program, chart], stringify(values));
  if (status !== 0) throw new Error(stderr);
  // Sound because whether they are such objects is what the tests check.
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}
