import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { openNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { parseSamples } from '../../../tests/support/metrics.ts';
import { until } from '../../../tests/support/server/server-process.ts';
import { startTestServer } from '../../../tests/support/server/test-server.ts';
import { endAll } from '../../../tests/support/endings.ts';

const directory = join(import.meta.dirname, '..', '..', '..', 'docs', 'operation');
const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
const token = 'a-token-of-the-tests-with-32-characters';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
}

const alerts = (parse(read('monitoring/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const dashboard = JSON.parse(read('monitoring/grafana-dashboard.json')) as Dashboard;
const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

/** What a running server exports: the labels of each metric, with their values. */
let exported: Map<string, Map<string, Set<string>>>;
let text: string;
const endings: (() => unknown)[] = [];

describe('the documentation of metrics', () => {
  before(async () => {
    const owner = { after: (work: () => unknown) => void endings.push(work) } as unknown as TestContext;
    try {
      text = await scrapeBusyServer(owner);
    } finally {
      await endAll(endings);
    }
    exported = new Map(
      Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = '']) => [name, new Map<string, Set<string>>()]),
    );
    for (const { name, labels } of parseSamples(text)) {
      const known = exported.get(familyOf(name)) ?? assert.fail(name);
      for (const [label, value] of Object.entries(labels))
        known.getOrInsertComputed(label, () => new Set()).add(value);
    }
  });

  test('lists exactly what a server exports, with its labels', () => {
    const documented = read('monitoring.md')
      .split('\n')
      .filter((line) => line.startsWith('| `atrium_'))
      .map((line) => {
        const [, name = '', labels = ''] = line.split('|');
        const inBackticks = (cell: string) =>
          Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = '']) => word);
        return `${inBackticks(name)[0]} ${inBackticks(labels).toSorted().join()}`;
      });
    const found = Array.from(exported, ([name, labels]) => {
      const own = [...labels.keys()].filter((label) => label !== 'le');
      return `${name} ${own.toSorted().join()}`;
    }).filter((line) => line.startsWith('atrium_'));
    assert.deepEqual(documented.toSorted(), found.toSorted());
  });

  test('has alerts and a dashboard that use only what a server exports', () => {
    for (const { alert, expr, annotations } of alerts) {
      const labels = checkExpression(alert, expr);
      for (const [, label = ''] of Object.values(annotations)
        .join()
        .matchAll(/\$labels\.(\w+)/g))
        assert.ok(labels.has(label), `${alert}: $labels.${label}`);
      assert.deepEqual(Object.keys(annotations), ['summary', 'action'], alert);
    }
    for (const { title, expr, legendFormat } of targets) {
      const labels = checkExpression(title, expr);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(labels.has(label), `${title}: {{${label}}}`);
    }
  });

  test('shows each metric of Atrium on the dashboard', () => {
    const used = new Set(targets.flatMap(({ expr }) => metricsOf(expr)));
    const missing = [...exported.keys()].filter((name) => name.startsWith('atrium_') && !used.has(name));
    assert.deepEqual(missing, []);
  });

  test('has a dashboard whose panels have their own places', () => {
    const { panels, templating } = dashboard;
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    assert.deepEqual(
      templating.list.map(({ name }) => name),
      ['datasource', 'job', 'instance'],
    );
    const taken = new Set<string>();
    for (const { title, gridPos } of panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(!taken.has(`${x} ${y}`), title);
          taken.add(`${x} ${y}`);
        }
    }
  });

  const skip = spawnSync('promtool', ['--version']).error && 'promtool is not installed';
  test('is accepted by promtool', { skip: skip ?? false }, () => {
    for (const args of [
      ['check', 'rules', join(directory, 'monitoring', 'alerts.yaml')],
      ['check', 'metrics'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { input: text, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    }
  });
});

/** Returns the metrics of a server on which everything that is measured has happened. */
async function scrapeBusyServer(owner: TestContext): Promise<string> {
  const server = await startTestServer(owner, 'SQLite', {
    ATRIUM_METRICS_TOKEN: token,
    ATRIUM_BACKUP_DIR: '/backups',
  });
  const office = await openNewsroom(server);
  const report = await office.save({});
  for (let run = 0; run < 2; run += 1) assert.equal((await office.run(report)).status, 200);
  const config = { provider: 'idp_ad', clientId: 'client', emailDomains: ['example.com'], enabled: true };
  const path = `POST /api/sso/orgs/${office.organizationId}/config`;
  assert.equal((await server.call(path, { as: office.owner, body: config })).status, 200);
  const body = { email: office.owner.email, password: 'wrong password' };
  await server.call('POST /api/auth/sign-in/email', { body });
  const at = server.clock();
  server.jobs.push({
    name: 'sweep',
    remedy: undefined,
    dueAt: at,
    isRunning: false,
    succeededAt: at,
    lastDurationMs: 1,
    failureCount: 0,
    isFailing: false,
  });
  const headers = { authorization: `Bearer ${token}` };
  return until('the failed sign-in is counted', async () => {
    server.advance(61_000);
    const { text } = await server.call('GET /metrics', { headers });
    return text.includes('atrium_sign_in_failures_total{') ? text : undefined;
  });
}

/** Returns the metric that a sample belongs to. */
const familyOf = (name: string): string =>
  exported.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');

const metricsOf = (expression: string): string[] =>
  Array.from(expression.matchAll(/\b(?:atrium|nodejs|process)_\w+/g), ([name]) => familyOf(name));

/** The labels that Prometheus adds. */
const added = ['job', 'instance'];

/** Checks the metrics and the labels of an expression. Returns the labels that its result can have. */
function checkExpression(title: string, expression: string): Set<string> {
  const labels = new Set(added);
  const names = [...metricsOf(expression), ...(/\bup\{/.test(expression) ? ['up'] : [])];
  assert.ok(names.length > 0, title);
  for (const name of names) {
    if (name === 'up') continue;
    const known = exported.get(name) ?? assert.fail(`${title}: no metric ${name}`);
    for (const label of known.keys()) labels.add(label);
  }
  for (const [, name = '', matchers = ''] of expression.matchAll(/\b(\w+)\{([^}]*(?:"[^"]*"[^}]*)*)\}/g))
    for (const [, label = '', operator, value = ''] of matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
      if (added.includes(label)) continue;
      const values = exported.get(familyOf(name))?.get(label);
      assert.ok(values !== undefined, `${title}: ${name} has no label ${label}`);
      if (operator === '=') assert.ok(values.has(value), `${title}: ${name}{${label}="${value}"}`);
    }
  const groups = Array.from(expression.matchAll(/\bby \(([^)]*)\)/g), ([, list = '']) => list.split(', '));
  for (const label of groups.flat()) assert.ok(labels.has(label), `${title}: by (${label})`);
  // A sum without labels has none.
  const [outermost] = groups;
  return outermost === undefined ? labels : new Set(outermost);
}
