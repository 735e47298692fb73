// The floors of the code: which room may import which, type imports counted. Run by scripts/floors.ts.

const test = '[.]test[.]tsx?$';
const sharedBelowFeatures = '^src/(contract/|server/(base/|config[.]ts$))';

/** The server's features with the features whose rules each may import. */
const features = {
  organizations: [],
  operation: ['organizations'],
  sessions: ['organizations'],
  sso: ['sessions', 'organizations'],
  'data-sources': ['organizations'],
  reports: ['organizations', 'data-sources'],
  dashboards: ['organizations', 'reports'],
  sample: ['organizations', 'data-sources', 'reports', 'dashboards'],
};
const featureNames = Object.keys(features).join('|');
const anyFeature = `^src/server/(${featureNames})/`;

/** The pages of the web app, with the pages whose parts each may import. */
const webFeatures = ['organizations', 'sign-in', 'sso', 'data-sources', 'reports', 'dashboards', 'server'];
const anyWebFeature = `^src/web/(${webFeatures.join('|')})/`;

/** Every place where a file of src may lie. */
const rooms = [
  '^src/contract/',
  `^src/server/(base|storage|http|outgoing|queries|audit|history|mail|idempotency|commands|${featureNames})/`,
  '^src/server/(config|tidying|app|tidying-jobs|root-keys|main|atrium)([.]test)?[.]ts$',
  `^src/web/(ui|shell|${webFeatures.join('|')})/`,
  '^src/web/(paths|api|routes|main)([.]test)?[.]tsx?$',
];

/** A room below the features imports the listed rooms and itself alone. */
function lowFloor(name, path, allowed, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: test },
    to: { path: '^src/', pathNot: [...allowed, path] },
  };
}

const contract = '^src/contract/';
const base = '^src/server/base/';
const storage = '^src/server/storage/';
const http = '^src/server/http/';

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A picture of the imports is a set of floors without a cycle.',
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
        pathNot: [test, '^src/server/(main|atrium)[.]ts$', '^src/web/main[.]tsx$', '[.]d[.]ts$'],
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
      from: { path: '^src/(contract|server)/', pathNot: test },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
    {
      name: 'not-to-tests',
      comment: 'Tests, benchmarks and scripts stand on the program, never the other way.',
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
      name: 'from-known-room',
      comment: 'The file lies outside of the known rooms. A new room gets its floor in this file first.',
      severity: 'error',
      from: { path: '^src/', pathNot: rooms },
      to: {},
    },
    {
      name: 'to-known-room',
      comment: 'The imported file lies outside of the known rooms.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: rooms },
    },

    // Floor 0
    {
      name: 'contract-alone',
      comment: 'The contract imports typebox alone.',
      severity: 'error',
      from: { path: contract, pathNot: test },
      to: { pathNot: [contract, '^node_modules/typebox/'] },
    },

    // Floor 1
    lowFloor('base-floor', base, [contract], 'base stands on the contract alone.'),
    lowFloor('config-floor', '^src/server/config[.]ts$', [contract, base], 'config is floor 1.'),
    {
      name: 'floor-1-pure',
      comment: 'base and config compute: no files, no network, no processes, no framework.',
      severity: 'error',
      from: { path: ['^src/server/base/', '^src/server/config[.]ts$'], pathNot: test },
      to: {
        path: [
          '^(node:)?(fs|fs/promises|http|http2|https|dgram|dns|dns/promises|tls)$',
          '^(node:)?(child_process|cluster|process|readline|sqlite|worker_threads)$',
          '^node_modules/(@fastify/|@scalar/|fastify|kysely/|nodemailer/|pg/|@types/pg/)',
        ],
      },
    },

    lowFloor('tidying-floor', '^src/server/tidying[.]ts$', [base], 'tidying knows none of its jobs.'),

    // Floor 2
    lowFloor('storage-floor', storage, [sharedBelowFeatures], 'storage knows neither http nor a feature.'),
    lowFloor('http-floor', http, [sharedBelowFeatures], 'http knows neither storage nor a feature.'),
    lowFloor(
      'outgoing-floor',
      '^src/server/outgoing/',
      [sharedBelowFeatures],
      'outgoing knows no other room.',
    ),
    ...['queries', 'audit', 'history', 'mail', 'idempotency'].map((room) =>
      lowFloor(
        `${room}-floor`,
        `^src/server/${room}/`,
        [sharedBelowFeatures, storage, http],
        `${room} stands on storage, and its routes on http.`,
      ),
    ),

    // Floor 3
    {
      name: 'feature-floor',
      comment: 'A feature knows neither the wiring above it nor the web app.',
      severity: 'error',
      from: { path: anyFeature, pathNot: test },
      to: { path: ['^src/server/(app|tidying-jobs|main|atrium)[.]ts$', '^src/server/commands/'] },
    },
    {
      name: 'rules-and-stores-without-http',
      comment: 'Rules and stores know nothing of Fastify or HTTP; handlers (*-routes.ts) do.',
      severity: 'error',
      from: {
        path: [anyFeature, '^src/server/(queries|audit|history)/'],
        pathNot: [test, '-routes[.]ts$'],
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
      from: { path: storage, pathNot: test },
      to: { path: '^node_modules/(@fastify/|@scalar/|fastify)' },
    },
    {
      name: 'only-app-imports-routes',
      comment: 'Routes are wired in app.ts. What others need of them belongs into the rules.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '-routes[.]ts$', '^src/server/app[.]ts$'] },
      to: { path: '^src/server/.+-routes[.]ts$' },
    },
    {
      name: 'not-to-foreign-store-or-routes',
      comment: "A feature asks another feature's rules, never its store or routes.",
      severity: 'error',
      from: { path: `^src/server/(${featureNames}|queries|audit|history)/`, pathNot: test },
      to: {
        path: `^src/server/(${featureNames}|queries|audit|history)/.+-(store|routes)[.]ts$`,
        pathNot: '^src/server/$1/',
      },
    },
    ...Object.entries(features).map(([feature, allowed]) => ({
      name: `${feature}-neighbours`,
      comment: `${feature} may import the rules of: ${allowed.join(', ') || 'no other feature'}.`,
      severity: 'error',
      from: { path: `^src/server/${feature}/`, pathNot: test },
      to: { path: anyFeature, pathNot: [feature, ...allowed].map((name) => `^src/server/${name}/`) },
    })),

    // Floors 4 and 5
    {
      name: 'only-main-imports-app',
      comment: 'app.ts is the wiring: main.ts and tests alone may import it.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/server/main[.]ts$'] },
      to: { path: '^src/server/app[.]ts$' },
    },
    {
      name: 'app-floor',
      comment: 'The wiring does not know who starts it.',
      severity: 'error',
      from: { path: '^src/server/app[.]ts$' },
      to: { path: '^src/server/commands/' },
    },
    {
      name: 'not-to-entries',
      comment: 'main.ts and atrium.ts are started, not imported.',
      severity: 'error',
      from: { pathNot: test },
      to: { path: '^src/server/(main|atrium)[.]ts$' },
    },

    // The web app
    {
      name: 'web-not-to-server',
      comment: 'The web app and the server share the contract and nothing else.',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/server/' },
    },
    {
      name: 'server-not-to-web',
      comment: 'The web app and the server share the contract and nothing else.',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'web-primitives-floor',
      comment: 'Primitives, addresses and the API caller know no page.',
      severity: 'error',
      from: { path: ['^src/web/ui/', '^src/web/(paths|api)[.]tsx?$'], pathNot: test },
      to: { path: [anyWebFeature, '^src/web/shell/', '^src/web/(routes|main)[.]tsx?$'] },
    },
    {
      name: 'web-shell-floor',
      comment: 'What is around the pages knows none of them, and they do not know what is around them.',
      severity: 'error',
      from: { path: '^src/web/shell/', pathNot: test },
      to: { path: [anyWebFeature, '^src/web/(routes|main)[.]tsx?$'] },
    },
    {
      name: 'web-contract-types-alone',
      comment:
        'The schemas of the contract are for the server; a browser that loaded them would load typebox.',
      severity: 'error',
      from: { path: '^src/web/', pathNot: test },
      to: { path: '^src/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-feature-floor',
      comment: 'A page does not know the table of routes.',
      severity: 'error',
      from: { path: anyWebFeature, pathNot: test },
      to: { path: ['^src/web/shell/', '^src/web/(routes|main)[.]tsx?$'] },
    },
    ...webFeatures.map((feature) => {
      const allowed = feature === 'dashboards' ? [feature, 'reports'] : [feature];
      return {
        name: `web-${feature}-neighbours`,
        comment: 'One page does not import another; dashboards alone may import reports.',
        severity: 'error',
        from: { path: `^src/web/${feature}/`, pathNot: test },
        to: { path: anyWebFeature, pathNot: allowed.map((name) => `^src/web/${name}/`) },
      };
    }),
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
