import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { checkImports } from '../scripts/imports.ts';

/** A little server that keeps every rule, in the shape of the real one. */
const soundFiles: Record<string, string> = {
  'package.json': JSON.stringify({
    name: 'imports-fixture',
    type: 'module',
    imports: { '#contract/*': './src/contract/*' },
    dependencies: { fastify: '*', typebox: '*', kysely: '*' },
  }),
  ...stubPackage('fastify'),
  ...stubPackage('typebox'),
  ...stubPackage('kysely'),
  'src/contract/dashboards/dashboards.ts': `import Type from 'typebox'; export const dashboard = Type; export type Dashboard = {};`,
  'src/server/base/errors.ts': `import '#contract/dashboards/dashboards.ts'; export class AtriumError extends Error {}`,
  'src/server/settings/settings.ts': `import '../base/errors.ts'; export const config = 1;`,
  'src/server/storage/database.ts': `import 'kysely'; import '../base/errors.ts'; export type Database = {};`,
  'src/server/http/serve.ts': `import 'fastify'; import '../base/errors.ts'; export type Route = {};`,
  'src/server/organizations/organizations.ts': `import './store.ts'; export type Role = 'viewer';`,
  'src/server/organizations/store.ts': `import '../storage/database.ts'; export const store = 1;`,
  'src/server/reports/reports.ts': `import '../base/errors.ts'; export const report = 1;`,
  'src/server/dashboards/dashboards.ts': `import './store.ts'; import '../reports/reports.ts';`,
  'src/server/dashboards/store.ts': `import '../storage/database.ts'; import 'kysely';`,
  'src/server/dashboards/view/routes.ts': `import 'fastify'; import '../../http/serve.ts'; import '../dashboards.ts';`,
  'src/server/sso/sso.ts': `import '../organizations/organizations.ts';`,
  'src/server/sso/sso.test.ts': `import '../app.ts'; import '../organizations/store.ts';`,
  'src/server/app.ts': `import './dashboards/view/routes.ts'; import './sso/sso.ts'; import './settings/settings.ts';`,
  'src/server/start.ts': `import './app.ts';`,
  'src/server/main.js': `await import('./start.ts');`,
  'src/server/commands/restore.ts': `import '../dashboards/store.ts'; export const restore = 1;`,
  'src/server/atrium.ts': `import './commands/restore.ts';`,
  'src/cli/run.ts': `export const run = 1;`,
  'src/cli/main.ts': `import './run.ts';`,
  'src/atrium.js': `await import('./server/atrium.ts'); await import('./cli/main.ts');`,
  'src/web/dashboards/page.tsx': `import type {} from '#contract/dashboards/dashboards.ts'; import '../ui/button.tsx';`,
  'src/web/sso/page.tsx': `import '../ui/button.tsx';`,
  'src/web/ui/button.tsx': `export const button = 1;`,
  'src/web/main.tsx': `import './dashboards/page.tsx'; import './sso/page.tsx';`,
};

/** A line added to a file of the sound server, and the rule that it breaks. */
const forbidden: [file: string, line: string, rule: string][] = [
  [
    'src/contract/dashboards/dashboards.ts',
    `import type {} from '../server/base/errors.ts';`,
    'contract-imports',
  ],
  ['src/contract/dashboards/dashboards.ts', `import 'node:fs';`, 'contract-imports'],
  ['src/contract/dashboards/dashboards.ts', `import 'kysely';`, 'contract-imports'],
  ['src/server/base/errors.ts', `import type { Database } from '../storage/database.ts';`, 'base-imports'],
  ['src/server/base/errors.ts', `import 'node:fs/promises';`, 'base-is-pure'],
  ['src/server/settings/settings.ts', `import '../http/serve.ts';`, 'settings-imports'],
  ['src/server/http/serve.ts', `import type { Database } from '../storage/database.ts';`, 'http-imports'],
  [
    'src/server/http/serve.ts',
    `import type { Role } from '../organizations/organizations.ts';`,
    'http-imports',
  ],
  ['src/server/storage/database.ts', `import type { Route } from '../http/serve.ts';`, 'storage-imports'],
  ['src/server/storage/database.ts', `import type {} from '../sso/sso.ts';`, 'storage-imports'],
  ['src/server/storage/database.ts', `import type { X } from 'fastify';`, 'storage-without-fastify'],
  [
    'src/server/dashboards/dashboards.ts',
    `import type { X } from 'fastify';`,
    'rules-and-stores-without-http',
  ],
  [
    'src/server/dashboards/store.ts',
    `import type { Route } from '../http/serve.ts';`,
    'rules-and-stores-without-http',
  ],
  ['src/server/sso/sso.ts', `import '../dashboards/view/routes.ts';`, 'only-app-imports-routes'],
  [
    'src/server/sso/sso.ts',
    `import type { X } from '../organizations/store.ts';`,
    'not-to-foreign-store-or-routes',
  ],
  ['src/server/sso/sso.ts', `import type {} from '../reports/reports.ts';`, 'sso-neighbors'],
  [
    'src/server/dashboards/dashboards.ts',
    `export type { Sso } from '../sso/sso.ts';`,
    'dashboards-neighbors',
  ],
  ['src/server/reports/reports.ts', `import '../dashboards/dashboards.ts';`, 'reports-neighbors'],
  ['src/server/reports/reports.ts', `await import('../dashboards/dashboards.ts');`, 'reports-neighbors'],
  ['src/server/sso/sso.ts', `import type { X } from '../app.ts';`, 'only-start-imports-app'],
  ['src/server/commands/restore.ts', `import '../app.ts';`, 'only-start-imports-app'],
  ['src/server/app.ts', `import './commands/restore.ts';`, 'app-imports'],
  ['src/server/app.ts', `import './sso/sso.test.ts';`, 'not-to-tests'],
  ['src/server/reports/reports.ts', `import type {} from '../dashboards/dashboards.ts';`, 'no-circular'],
  ['src/server/reports/reports.ts', `import './missing.ts';`, 'not-to-unresolvable'],
  ['src/server/reports/reports.ts', `import '#contract/missing.ts';`, 'not-to-unresolvable'],
  ['src/cli/run.ts', `import type {} from '../server/base/errors.ts';`, 'cli-imports'],
  ['src/cli/run.ts', `import 'kysely';`, 'cli-packages'],
  ['src/server/sso/sso.ts', `import '../../cli/run.ts';`, 'cli-for-commands'],
  ['src/server/utils.ts', `import './settings/settings.ts';`, 'from-known-folder'],
  ['src/server/sso/lonely.ts', `export const lonely = 1;`, 'no-orphans'],
  ['src/web/sso/page.tsx', `import '../../server/settings/settings.ts';`, 'web-not-to-server'],
  ['src/server/app.ts', `import '../web/main.tsx';`, 'server-not-to-web'],
  ['src/web/ui/button.tsx', `import '../sso/page.tsx';`, 'web-primitives-imports'],
  ['src/web/sso/page.tsx', `import type {} from '../dashboards/page.tsx';`, 'web-sso-neighbors'],
];

describe('the import rules', () => {
  let root: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'atrium-imports-'));
    await writeFiles(soundFiles);
  });
  after(() => rm(root, { recursive: true }));

  test('let a sound server pass, and read each of its files', async () => {
    const sourceCount = Object.keys(soundFiles).filter((file) => file.startsWith('src/')).length;
    assert.deepEqual(await checkImports(root), { faults: [], cruisedCount: sourceCount });
  });

  for (const [file, line, rule] of forbidden) {
    test(`${rule} finds ${line} in ${file}`, async () => {
      await writeFiles({ [file]: `${soundFiles[file] ?? ''}\n${line}` });
      try {
        const { faults } = await checkImports(root);
        const found = faults.filter((fault) => fault.startsWith(`${rule}: `) && fault.includes(file));
        assert.notDeepEqual(found, [], `found instead: ${faults.join('\n')}`);
      } finally {
        await restore(file);
      }
    });
  }

  test('are not held by a directory without source', async () => {
    const { faults } = await checkImports(join(root, 'node_modules'));
    assert.deepEqual(faults, ['src: there is no such directory']);
  });

  async function writeFiles(files: Record<string, string>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), `${text}\n`);
    }
  }

  async function restore(file: string): Promise<void> {
    const text = soundFiles[file];
    if (text === undefined) await rm(join(root, file));
    else await writeFiles({ [file]: text });
  }
});

function stubPackage(name: string): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    [`node_modules/${name}/index.js`]: 'module.exports = {};',
  };
}
