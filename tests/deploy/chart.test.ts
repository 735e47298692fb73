import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { settingsTable } from '../../src/server/settings/table.ts';
import { findTypeFaults } from './chart/kubernetes-types.ts';
import { chart, renderChart, whyNotRendered, type KubernetesObject } from './chart/rendered.ts';

const read = (file: string): string => readFileSync(join(chart, file), 'utf8');

const minimal = {
  image: { repository: 'registry.example/atrium' },
  publicUrl: 'https://atrium.example.com',
  existingSecret: 'atrium',
};
const embedded = { ...minimal, usePostgresql: false, isolateQueries: false, metrics: { enabled: false } };
const shared = {
  ...minimal,
  replicas: 3,
  volume: { accessMode: 'ReadWriteMany', storageClass: 'nfs' },
  trustedProxies: ['10.0.0.0/8', 'fd00::/8'],
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'atrium-tls', annotations: { a: 'yes' } },
  image: { repository: 'registry.example/atrium', pullSecrets: ['registry'] },
};
const cached = { ...minimal, replicas: 2, settings: { ATRIUM_TABLES_URL: 's3://tables/atrium' } };

const workload = {
  ...minimal,
  workloadIdentity: { enabled: true, organizations: ['01a21a2b-6c17-7000-9797-5d7dc933fab8'] },
};
const accepted = Object.entries({ minimal, embedded, shared, cached, workload });

test('the version of the chart is that of Atrium', () => {
  const { version, appVersion } = parse(read('Chart.yaml')) as Record<string, unknown>;
  assert.deepEqual([version, appVersion], [packageJson.version, packageJson.version]);
});

describe('the schema of the values', () => {
  const validate = new Ajv({ allErrors: true }).compile(JSON.parse(read('values.schema.json')) as object);
  const defaults = parse(read('values.yaml')) as object;

  test('accepts the defaults with what has none, and describes every default', () => {
    for (const [name, values] of accepted) assert.ok(validate(values), name);
    assert.ok(validate({ ...defaults, ...minimal }));
    assert.ok(!validate(defaults), 'what has no default is required');
  });

  const refused: Record<string, object> = {
    '/publicUrl': { ...minimal, publicUrl: 'https://atrium.example.com/' },
    '/replicas': { ...minimal, replicas: '2' },
    '/settings/ATRIUM_UPLOADS_MB': { ...minimal, settings: { ATRIUM_UPLOADS_MB: 5 } },
    '/volume/accessMode': { ...minimal, volume: { accessMode: 'Any' } },
    '/metrics': { ...minimal, metrics: { enable: true } },
    '': { ...minimal, replica: 2 },
  };
  for (const [path, values] of Object.entries(refused)) {
    test(`refuses ${JSON.stringify(values).slice(-40)}`, () => {
      assert.ok(!validate(values));
      assert.deepEqual(
        validate.errors?.map(({ instancePath }) => instancePath),
        [path],
      );
    });
  }
});

const skip = whyNotRendered();

describe('the chart', { skip }, () => {
  const objects: KubernetesObject[] = [];
  before(() => {
    for (const [, values] of accepted) objects.push(...renderChart(values));
  });

  test('renders only objects that Kubernetes knows completely', () => {
    assert.deepEqual(
      new Set(objects.map(({ kind }) => kind)),
      new Set([
        'Deployment',
        'Ingress',
        'Service',
        'ServiceAccount',
        'PersistentVolumeClaim',
        'PodDisruptionBudget',
      ]),
    );
    assert.equal(findTypeFaults(objects), '');
    const [first = assert.fail()] = objects;
    // Without this, a check that reads nothing would pass.
    const wrong: KubernetesObject & { spek: object } = { ...first, spek: {} };
    assert.match(findTypeFaults([wrong]), /spek/);
  });

  test('sets only variables that Atrium reads', () => {
    const known: readonly string[] = [
      ...Object.values(settingsTable).map(({ variable }) => variable),
      ...Object.keys(cached.settings),
    ];
    const names = objects.flatMap((object) =>
      Array.from(JSON.stringify(object).matchAll(/"name":"([A-Z][A-Z_]+)"/g), ([, name = '']) => name),
    );
    assert.ok(names.length > 0);
    assert.deepEqual(
      names.filter((name) => !known.includes(name)),
      [],
    );
  });

  for (const [reason, values] of Object.entries({
    'needs PostgreSQL': { ...embedded, replicas: 2 },
    'needs volume.accessMode ReadWriteMany': { ...minimal, replicas: 2 },
  })) {
    test(`refuses several replicas: ${reason}`, () => {
      assert.throws(() => renderChart(values), { message: new RegExp(reason) });
    });
  }
});
