// The layers of the code: which folder may import which, type imports counted. Run by scripts/imports.ts.

const test = '[.]test[.]tsx?$';
const belowFeatures = '^src/(shared/|contract/|server/(base|settings)/)';

/** The server's features with the features whose rules each may import. */
const features = {
  organizations: [],
  access: ['organizations'],
  'account-deletion': [
    'organizations',
    'accounts',
    'sessions',
    'access',
    'records',
    'data-sources',
    'reports',
    'dashboards',
    'folders',
  ],
  'account-export': ['organizations', 'accounts', 'data-export', 'exports'],
  'access-review': ['organizations', 'access', 'credentials'],
  operation: ['organizations'],
  sessions: ['organizations'],
  credentials: ['organizations', 'sessions'],
  accounts: ['organizations', 'sessions'],
  'organization-deletion': ['accounts', 'organizations', 'sessions', 'data-sources'],
  records: ['organizations', 'access'],
  sso: ['accounts', 'organizations', 'sessions'],
  scim: ['organizations', 'sessions', 'sso'],
  'data-sources': ['organizations', 'access'],
  models: ['organizations', 'data-sources'],
  images: ['organizations', 'access'],
  webhooks: ['organizations'],
  reports: ['organizations', 'access', 'records', 'folders', 'data-sources', 'models'],
  dashboards: ['organizations', 'access', 'records', 'folders', 'reports', 'images'],
  folders: ['organizations', 'access', 'records'],
  proposals: ['organizations', 'access', 'credentials', 'folders', 'records', 'reports', 'dashboards'],
  exports: ['organizations', 'dashboards', 'images'],
  'data-export': ['organizations', 'access-review', 'sessions', 'data-sources', 'dashboards', 'exports'],
  explore: ['organizations', 'data-sources', 'models', 'reports'],
  mcp: ['data-sources', 'models', 'reports', 'dashboards', 'folders', 'proposals'],
  backup: ['accounts', 'sso', 'data-sources', 'webhooks'],
  sample: ['organizations', 'data-sources', 'reports', 'dashboards'],
};
const featureNames = Object.keys(features).join('|');
const anyFeature = `^src/server/(${featureNames})/`;

/** Folders that know no feature, with the folders beside `shared`, `contract` and `base` that each may import. */
const platform = {
  logs: [],
  storage: [],
  http: ['logs'],
  outgoing: [],
  mail: ['storage', 'http'],
  audit: ['storage', 'http'],
  'log-chain': ['storage', 'events'],
  'access-log': ['storage', 'log-chain'],
  events: ['storage'],
  idempotency: ['storage', 'http'],
  quotas: ['storage'],
  engine: ['outgoing'],
  results: ['engine'],
  metrics: ['storage', 'http', 'engine'],
  traces: ['storage', 'http', 'outgoing', 'engine'],
};
const platformNames = Object.keys(platform).join('|');
const storesAndRoutes = `^src/server/(${featureNames}|${platformNames}).*[/-](store|routes)[.]ts$`;
const routes = '^src/server/.*[/-]routes[.]ts$';

/** The pages of the web app, with the pages whose parts each may import. */
const webFeatures = {
  trash: ['data-sources'],
  sharing: [],
  folders: ['sharing'],
  history: [],
  drafts: ['history'],
  tokens: [],
  organizations: ['tokens'],
  'access-review': ['organizations', 'sharing', 'tokens'],
  'sign-in': ['tokens'],
  sso: ['tokens'],
  'data-sources': ['sharing'],
  models: ['drafts'],
  reports: ['history', 'drafts', 'sharing', 'folders', 'data-sources'],
  dashboards: ['history', 'drafts', 'sharing', 'folders', 'reports'],
  explore: ['reports'],
  proposals: ['history', 'drafts', 'reports', 'dashboards'],
  server: [],
};
const anyWebFeature = `^src/web/(${Object.keys(webFeatures).join('|')})/`;
const webPrimitives = '^src/web/(ui/|app/(api|paths)([.]test)?[.]ts$)';
const webShell = '^src/web/(app/(shell|palette)/|app/routes[.]tsx$|(main|start)[.]tsx$)';

/** Every folder, and every file outside of one, that may hold source. */
const knownFolders = [
  '^src/(shared|contract|charts|client|cli)/',
  '^src/atrium[.]js$',
  `^src/server/(base|settings|commands|${platformNames}|${featureNames})/`,
  '^src/server/(maintenance|app|maintenance-jobs|root-keys|end-membership|end-access-of-person|early-rights|start|exit|atrium)([.]test)?[.]ts$',
  '^src/server/(main|prepare-process)[.]js$',
  `^src/web/(app|ui|visualizations|${Object.keys(webFeatures).join('|')})/`,
  '^src/web/(main|start)[.]tsx$',
];

/** A folder that imports, of `src`, only itself and what is listed. */
function layer(name, path, allowed, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: test },
    to: { path: '^src/', pathNot: [...allowed, path] },
  };
}

const shared = '^src/shared/';
const contract = '^src/contract/';
const charts = '^src/charts/';
const client = '^src/client/';
const cli = '^src/cli/';
const base = '^src/server/base/';
const http = '^src/server/http/';

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'The imports form layers without a cycle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [test, '^src/(server/main|atrium)[.]ts$', '^src/web/main[.]tsx$', '[.]d[.]ts$'],
      },
      to: {},
    },
    {
      name: 'not-to-unresolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'not-to-undeclared-package',
      comment: 'A package that package.json does not name is there by accident.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-to-dev-package',
      comment: 'What runs must not need what only the tests and checks install.',
      severity: 'error',
      from: { path: '^src/(contract|server|cli|client)/', pathNot: test },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
    {
      name: 'not-to-tests',
      comment: 'Tests, benchmarks and scripts import the program, never the other way around.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: [test, '^(tests|bench|scripts)/'] },
    },
    {
      name: 'no-barrels',
      comment: 'Import from the file that has the thing.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/.*/index[.]tsx?$' },
    },
    {
      name: 'from-known-folder',
      comment: 'The file lies outside of the known folders. A new folder gets its rule in this file first.',
      severity: 'error',
      from: { path: '^src/', pathNot: knownFolders },
      to: {},
    },
    {
      name: 'to-known-folder',
      comment: 'The imported file lies outside of the known folders.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: knownFolders },
    },

    // What server and browser share
    {
      name: 'shared-imports-nothing',
      comment:
        'Rules that server and browser share are pure and import nothing else but the parser of messages.',
      severity: 'error',
      from: { path: shared, pathNot: test },
      to: { pathNot: [shared, '^node_modules/(format-message-parse|yaml)/'] },
    },
    {
      name: 'yaml-for-imports',
      comment: 'Only the import of other programs reads YAML, so that no other page loads its parser.',
      severity: 'error',
      from: { path: shared, pathNot: [test, '^src/shared/importers/metabase/yaml[.]ts$'] },
      to: { path: '^node_modules/yaml/' },
    },
    {
      name: 'contract-imports',
      comment: 'The contract imports only typebox and shared.',
      severity: 'error',
      from: { path: contract, pathNot: test },
      to: { pathNot: [contract, shared, '^node_modules/typebox/'] },
    },

    {
      name: 'charts-imports',
      comment:
        'What charts show is the same in the browser and in exports: it imports only shared, the contract, ECharts, the maps and the parser of Markdown.',
      severity: 'error',
      from: { path: charts, pathNot: test },
      to: {
        pathNot: [
          charts,
          contract,
          shared,
          '^node_modules/(echarts|d3-geo|topojson-client|world-atlas|us-atlas|i18n-iso-countries|@types/(geojson|topojson-.*)|mdast-util-from-markdown|mdast-util-gfm|micromark-extension-gfm|@types/mdast)/',
        ],
      },
    },
    {
      name: 'charts-contract-types-only',
      comment:
        'The schemas of the contract are for the server; a browser that loaded them would load typebox.',
      severity: 'error',
      from: { path: charts, pathNot: test },
      to: { path: contract, dependencyTypesNot: ['type-only'] },
    },

    {
      name: 'client-imports',
      comment: 'The client of the API imports only types of the contract and of shared.',
      severity: 'error',
      from: { path: client, pathNot: test },
      to: { pathNot: [client, contract, shared, '^node_modules/typebox/'] },
    },
    {
      name: 'client-types-only',
      comment: 'What the client imports from outside are types, so that programs load nothing else.',
      severity: 'error',
      from: { path: client, pathNot: test },
      to: { pathNot: client, dependencyTypesNot: ['type-only'] },
    },

    // The command line that calls a server
    layer(
      'cli-imports',
      cli,
      [client, contract, shared],
      'The command line runs anywhere: it imports only the client, the contract and shared, and nothing of the server.',
    ),
    {
      name: 'cli-packages',
      comment: 'Every command starts fast, so the command line uses few packages.',
      severity: 'error',
      from: { path: cli, pathNot: test },
      to: { path: '^node_modules/', pathNot: '^node_modules/(typebox|@types/node)/' },
    },
    {
      name: 'cli-for-commands',
      comment: 'Of the server, only its commands share the form of a command line.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, cli, '^src/(atrium[.]js$|server/commands/)'] },
      to: { path: cli },
    },

    // The platform
    layer('base-imports', base, [shared, contract], 'base imports only shared and the contract.'),
    layer(
      'settings-imports',
      '^src/server/settings/',
      [shared, contract, base],
      'settings imports only base, shared and the contract.',
    ),
    {
      name: 'base-is-pure',
      comment: 'base and settings compute: no files, no network, no processes, no framework.',
      severity: 'error',
      from: { path: [base, '^src/server/settings/'], pathNot: test },
      to: {
        path: [
          '^(node:)?(fs|fs/promises|http|http2|https|dgram|dns|dns/promises|tls)$',
          '^(node:)?(child_process|cluster|process|readline|sqlite|worker_threads)$',
          '^node_modules/(@fastify/|@scalar/|fastify|kysely/|nodemailer/|pg/|@types/pg/)',
        ],
      },
    },
    layer(
      'maintenance-imports',
      '^src/server/maintenance[.]ts$',
      [base, '^src/server/storage/job-leases[.]ts$'],
      'maintenance knows the leases of jobs, but none of the jobs.',
    ),
    ...Object.entries(platform).map(([folder, allowed]) =>
      layer(
        `${folder}-imports`,
        `^src/server/${folder}/`,
        [belowFeatures, ...allowed.map((name) => `^src/server/${name}/`)],
        `${folder} may import base and: ${allowed.join(', ') || 'no other folder'}.`,
      ),
    ),

    // The features
    {
      name: 'feature-imports',
      comment: 'A feature knows neither the wiring above it nor the web app.',
      severity: 'error',
      from: { path: anyFeature, pathNot: test },
      to: {
        path: ['^src/server/(app|maintenance-jobs|main|start|exit|atrium)[.]ts$', '^src/server/commands/'],
      },
    },
    {
      name: 'rules-and-stores-without-http',
      comment: 'Rules and stores know nothing of Fastify or HTTP; handlers (routes.ts) do.',
      severity: 'error',
      from: {
        path: [anyFeature, '^src/server/(engine|results|audit|records)/'],
        pathNot: [test, routes],
      },
      to: { path: [http, '^node_modules/(@fastify/|@scalar/|fastify)'] },
    },
    {
      name: 'only-outgoing-goes-out',
      comment:
        'What is asked of an address that a user typed goes through outgoing, which checks where it leads.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/server/outgoing/'] },
      to: { path: ['^node_modules/undici/', '^(node:)?https?$'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'storage-without-fastify',
      comment: 'Storage knows nothing of Fastify.',
      severity: 'error',
      from: { path: '^src/server/storage/', pathNot: test },
      to: { path: '^node_modules/(@fastify/|@scalar/|fastify)' },
    },
    {
      name: 'only-app-imports-routes',
      comment: 'Routes are wired in app.ts. What other files need from them belongs in the rules.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, routes, '^src/server/app[.]ts$'] },
      to: { path: routes },
    },
    {
      name: 'not-to-foreign-store-or-routes',
      comment: "A feature asks another feature's rules, never its store or routes.",
      severity: 'error',
      from: { path: `^src/server/(${featureNames}|${platformNames})/`, pathNot: test },
      // The handlers of records serve every kind of record.
      to: { path: storesAndRoutes, pathNot: ['^src/server/$1/', '^src/server/records/routes[.]ts$'] },
    },
    ...Object.entries(features).map(([feature, allowed]) => ({
      name: `${feature}-neighbors`,
      comment: `${feature} may import the rules of: ${allowed.join(', ') || 'no other feature'}.`,
      severity: 'error',
      from: { path: `^src/server/${feature}/`, pathNot: test },
      to: { path: anyFeature, pathNot: [feature, ...allowed].map((name) => `^src/server/${name}/`) },
    })),

    // The wiring, and what is started
    {
      name: 'only-start-imports-app',
      comment: 'app.ts is the wiring: only start.ts and tests may import it.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/server/start[.]ts$'] },
      to: { path: '^src/server/app[.]ts$' },
    },
    {
      name: 'app-imports',
      comment: 'The wiring does not know who starts it.',
      severity: 'error',
      from: { path: '^src/server/app[.]ts$' },
      to: { path: '^src/server/commands/' },
    },
    {
      name: 'not-to-entries',
      comment:
        'main.js and atrium.js are programs, so nothing but the first words of a command line imports them.',
      severity: 'error',
      from: { pathNot: [test, '^src/atrium[.]js$'] },
      to: { path: '^src/(server/main[.]js|server/atrium[.]ts|cli/main[.]ts|atrium[.]js)$' },
    },

    // The web app
    {
      name: 'web-not-to-server',
      comment: 'The web app and the server share only the contract and `shared`.',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/server/' },
    },
    {
      name: 'server-not-to-web',
      comment: 'The web app and the server share only the contract and `shared`.',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'web-primitives-imports',
      comment: 'Primitives, addresses and the API caller know no page.',
      severity: 'error',
      from: { path: webPrimitives, pathNot: test },
      to: { path: [anyWebFeature, '^src/web/visualizations/', webShell] },
    },
    {
      name: 'web-visualizations-imports',
      comment: 'A visualization knows no page.',
      severity: 'error',
      from: { path: '^src/web/visualizations/', pathNot: test },
      to: { path: [anyWebFeature, webShell] },
    },
    {
      name: 'web-shell-imports',
      comment: 'The shell and the pages do not know each other.',
      severity: 'error',
      from: { path: '^src/web/app/(shell|palette)/', pathNot: test },
      to: { path: [anyWebFeature, '^src/web/(app/routes|main|start)[.]tsx$'] },
    },
    {
      name: 'web-contract-types-only',
      comment:
        'The schemas of the contract are for the server; a browser that loaded them would load typebox.',
      severity: 'error',
      from: { path: '^src/web/', pathNot: test },
      to: { path: contract, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-feature-imports',
      comment: 'A page knows neither the shell nor the table of routes.',
      severity: 'error',
      from: { path: anyWebFeature, pathNot: test },
      to: { path: webShell },
    },
    ...Object.entries(webFeatures).map(([feature, allowed]) => ({
      name: `web-${feature}-neighbors`,
      comment: `${feature} may import the parts of: ${allowed.join(', ') || 'no other feature'}.`,
      severity: 'error',
      from: { path: `^src/web/${feature}/`, pathNot: test },
      to: { path: anyWebFeature, pathNot: [feature, ...allowed].map((name) => `^src/web/${name}/`) },
    })),

    // Tests, benchmarks and scripts
    {
      name: 'tests-not-to-scripts-or-bench',
      comment: 'Tests and benchmarks use what is in tests/support; a script may use both.',
      severity: 'error',
      from: { path: '^tests/', pathNot: test },
      to: { path: '^(bench|scripts)/' },
    },
  ],
  options: {
    // TypeScript 7 has no API for dependency-cruiser, which without swc reads no .ts file and passes.
    parser: 'swc',
    tsPreCompilationDeps: true,
    // Served as it is, and run by the browser before anything else.
    exclude: { path: '^src/web/public/' },
    doNotFollow: { path: '^node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.json'],
    },
  },
};
