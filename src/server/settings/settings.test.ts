import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { StartError } from '../base/errors.ts';
import { readSettings, type Settings } from './settings.ts';

const key = 'k'.repeat(32);
const otherKey = 'o'.repeat(32);
const canary = 'canary-3b8f2';

const defaults: Settings = {
  host: '127.0.0.1',
  port: 3000,
  publicUrl: 'http://localhost:3000',
  dataDirectory: resolve('./data'),
  databaseUrl: undefined,
  databaseReadUrl: undefined,
  secretKeys: undefined,
  firstOwner: undefined,
  entraAuthority: 'https://login.microsoftonline.com',
  workloadTokenFile: undefined,
  workloadOrganizations: [],
  ssoPrivateHosts: [],
  webhookPrivateHosts: [],
  sourcePrivateHosts: [],
  dnsServers: [],
  logLevel: 'info',
  logRequests: false,
  slowQuerySeconds: 10,
  smtpUrl: undefined,
  organizationInvitationsPerDay: 100,
  invitationsPerDay: 1_000,
  mailFrom: 'atrium@localhost',
  queryTimeoutSeconds: 60,
  queryMaxRows: 50_000,
  queryMemoryMb: 512,
  querySandbox: 'auto',
  uploadsMb: 51_200,
  organizationMaxRecords: 50_000,
  organizationContentMb: 1_024,
  personalMaxRecords: 10_000,
  personalContentMb: 100,
  personalMaxOrganizations: 50,
  apiRequestsPerMinute: 1_200,
  sessionRequestsPerMinute: 6_000,
  processorMsPerMinute: 10_000,
  tablesUrl: undefined,
  tablesCacheMb: 20_480,
  s3Endpoint: undefined,
  s3Region: undefined,
  drainSeconds: 0,
  backupDirectory: undefined,
  backupEveryHours: 24,
  backupKeepCount: 7,
  organizationCreation: 'operators',
  metricsPort: undefined,
  metricsToken: undefined,
  trustedProxies: [],
  trustedCertificates: undefined,
};

const owner = {
  ATRIUM_OWNER_EMAIL: 'Ada@Example.com',
  ATRIUM_OWNER_PASSWORD: 'p'.repeat(12),
  ATRIUM_ORGANIZATION: 'Engines',
};

type Environment = Readonly<Record<string, string>>;

describe('settings', () => {
  test('are the defaults if no variable is set, or if all are empty', () => {
    assert.deepEqual(readSettings({}), defaults);
    const names = [
      'HOST',
      'PORT',
      'DATABASE_URL',
      ...Object.keys(owner),
      'ATRIUM_SECRET_KEY',
      'ATRIUM_LOG_LEVEL',
    ];
    assert.deepEqual(readSettings(Object.fromEntries(names.map((name) => [name, ' ']))), defaults);
  });

  const valid: readonly [Environment, Partial<Settings>][] = [
    [{ HOST: ' 0.0.0.0 ' }, { host: '0.0.0.0' }],
    [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
    [{ PORT: '0' }, { port: 0, publicUrl: 'http://localhost:0' }],
    [
      { PORT: '65535', ATRIUM_PUBLIC_URL: 'https://Atrium.Example/' },
      { port: 65_535, publicUrl: 'https://atrium.example' },
    ],
    [{ ATRIUM_PUBLIC_URL: 'http://10.0.0.1:8080' }, { publicUrl: 'http://10.0.0.1:8080' }],
    [{ ATRIUM_PUBLIC_URL: 'https://atrium.example:443' }, { publicUrl: 'https://atrium.example' }],
    [{ ATRIUM_DATA_DIR: '/var/lib/atrium' }, { dataDirectory: '/var/lib/atrium' }],
    [{ ATRIUM_DATA_DIR: 'kept' }, { dataDirectory: resolve('kept') }],
    [
      { DATABASE_URL: 'postgres://user:word@db.example/atrium', ATRIUM_SECRET_KEY: key },
      { databaseUrl: 'postgres://user:word@db.example/atrium', secretKeys: [key], drainSeconds: 5 },
    ],
    [
      {
        DATABASE_URL: 'postgres://one:5432,other:5432/atrium?target_session_attrs=primary',
        ATRIUM_SECRET_KEY: key,
      },
      {
        databaseUrl: 'postgres://one:5432,other:5432/atrium?target_session_attrs=primary',
        secretKeys: [key],
        drainSeconds: 5,
      },
    ],
    [
      { DATABASE_URL: 'postgresql://db.example/atrium', ATRIUM_SECRET_KEY: key },
      { databaseUrl: 'postgresql://db.example/atrium', secretKeys: [key], drainSeconds: 5 },
    ],
    [{ ATRIUM_SECRET_KEY: `${key} , ${otherKey},` }, { secretKeys: [key, otherKey] }],
    [owner, { firstOwner: { email: 'ada@example.com', password: 'p'.repeat(12), organization: 'Engines' } }],
    [
      { ATRIUM_SSO_ENTRA_AUTHORITY: 'https://login.microsoftonline.us/' },
      { entraAuthority: 'https://login.microsoftonline.us' },
    ],
    [{ ATRIUM_SSO_ENTRA_AUTHORITY: 'http://127.0.0.1:8400' }, { entraAuthority: 'http://127.0.0.1:8400' }],
    [
      { ATRIUM_SSO_PRIVATE_HOSTS: 'ADFS.corp.example:443, 127.0.0.1:8400,[::1]:8401' },
      {
        ssoPrivateHosts: [
          { host: 'adfs.corp.example', port: 443 },
          { host: '127.0.0.1', port: 8400 },
          { host: '::1', port: 8401 },
        ],
      },
    ],
    [
      {
        ATRIUM_WORKLOAD_TOKEN_FILE: './token',
        ATRIUM_WORKLOAD_ORGANIZATIONS: '01a21a2b-6c17-7000-9797-5d7dc933fab8,',
      },
      {
        workloadTokenFile: resolve('./token'),
        workloadOrganizations: ['01a21a2b-6c17-7000-9797-5d7dc933fab8'],
      },
    ],
    [
      {
        ATRIUM_SOURCE_PRIVATE_HOSTS:
          'DB.corp.example:5432,db.corp.example:1=01a21a2b-6c17-7000-9797-5d7dc933fab8',
        ATRIUM_WEBHOOK_PRIVATE_HOSTS: 'hooks.corp.example:80=*',
      },
      {
        sourcePrivateHosts: [
          { host: 'db.corp.example', port: 5432 },
          { host: 'db.corp.example', port: 1, organizationId: '01a21a2b-6c17-7000-9797-5d7dc933fab8' },
        ],
        webhookPrivateHosts: [{ host: 'hooks.corp.example', port: 80, organizationId: '*' }],
      },
    ],
    [
      { ATRIUM_DNS_SERVERS: '9.9.9.9:53,[2620:fe::fe]:53' },
      {
        dnsServers: [
          { host: '9.9.9.9', port: 53 },
          { host: '2620:fe::fe', port: 53 },
        ],
      },
    ],
    [{ ATRIUM_LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [
      {
        DATABASE_URL: 'postgres://db.example/atrium',
        ATRIUM_SECRET_KEY: key,
        ATRIUM_TABLES_URL: 's3://tables/atrium/production',
        AWS_ENDPOINT_URL_S3: 'https://s3.example/',
        AWS_REGION: 'eu-central-1',
      },
      {
        databaseUrl: 'postgres://db.example/atrium',
        secretKeys: [key],
        drainSeconds: 5,
        tablesUrl: 's3://tables/atrium/production',
        s3Endpoint: 'https://s3.example',
        s3Region: 'eu-central-1',
      },
    ],
    [{ ATRIUM_LOG_REQUESTS: 'true' }, { logRequests: true }],
    [{ ATRIUM_LOG_REQUESTS: 'false' }, { logRequests: false }],
    [
      { ATRIUM_SMTP_URL: 'smtps://user:word@mail.example', ATRIUM_MAIL_FROM: 'a@example.com' },
      { smtpUrl: 'smtps://user:word@mail.example', mailFrom: 'a@example.com' },
    ],
    [
      {
        ATRIUM_QUERY_SANDBOX: 'required',
        ATRIUM_QUERY_TIMEOUT_SECONDS: '5',
        ATRIUM_QUERY_MAX_ROWS: '1000000',
        ATRIUM_QUERY_MEMORY_MB: '64',
        ATRIUM_UPLOADS_MB: '1',
      },
      {
        querySandbox: 'required',
        queryTimeoutSeconds: 5,
        queryMaxRows: 1_000_000,
        queryMemoryMb: 64,
        uploadsMb: 1,
      },
    ],
    [{ ATRIUM_API_REQUESTS_PER_MINUTE: '9999999' }, { apiRequestsPerMinute: 9_999_999 }],
    [{ ATRIUM_SESSION_REQUESTS_PER_MINUTE: '1' }, { sessionRequestsPerMinute: 1 }],
    [{ ATRIUM_PROCESSOR_MS_PER_MINUTE: '100' }, { processorMsPerMinute: 100 }],
    [{ ATRIUM_DRAIN_SECONDS: '300' }, { drainSeconds: 300 }],
    [
      { ATRIUM_METRICS_PORT: '9464', ATRIUM_METRICS_TOKEN: `${key}==` },
      { metricsPort: 9464, metricsToken: `${key}==` },
    ],
    [
      { ATRIUM_BACKUP_DIR: '/backups', ATRIUM_BACKUP_EVERY_HOURS: '1', ATRIUM_BACKUP_KEEP: '1000' },
      { backupDirectory: '/backups', backupEveryHours: 1, backupKeepCount: 1_000 },
    ],
    [{ ATRIUM_ORGANIZATION_CREATION: 'everyone' }, { organizationCreation: 'everyone' }],
    [
      { ATRIUM_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1,::1/128' },
      { trustedProxies: ['10.0.0.0/8', '127.0.0.1', '::1/128'] },
    ],
  ];
  for (const [environment, expected] of valid) {
    test(`are read from ${written(environment)}`, () => {
      assert.deepEqual(readSettings(environment), { ...defaults, ...expected });
    });
  }

  const invalid: readonly [Environment, named: readonly string[]][] = [
    ...['x', '-1', '65536', '3000.5', '0x50', '1e3', '٣'].map((PORT) => faulty({ PORT })),
    ...[
      'atrium.example',
      'ftp://atrium.example',
      'https://atrium.example/path',
      'https://atrium.example/?',
      'https://atrium.example/#a',
      'https://user:word@atrium.example',
      'https://',
    ].flatMap((url) => [faulty({ ATRIUM_PUBLIC_URL: url }), faulty({ ATRIUM_SSO_ENTRA_AUTHORITY: url })]),
    ...[`mysql://user:${canary}@db`, `user:${canary}@db.example`, canary].map(
      (DATABASE_URL): [Environment, string[]] => [{ DATABASE_URL, ATRIUM_SECRET_KEY: key }, ['DATABASE_URL']],
    ),
    [{ DATABASE_URL: 'postgres://db.example/atrium' }, ['ATRIUM_SECRET_KEY', 'DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://db.example/atrium', ATRIUM_SECRET_KEY: canary }, ['ATRIUM_SECRET_KEY']],
    ...[canary, `${key},${canary}`, `${canary},${key}`, ',', 'k'.repeat(31)].map((keys) =>
      faulty({ ATRIUM_SECRET_KEY: keys }),
    ),
    [{ ...owner, ATRIUM_OWNER_EMAIL: 'ada' }, ['ATRIUM_OWNER_EMAIL']],
    [{ ...owner, ATRIUM_OWNER_PASSWORD: canary.slice(0, 11) }, ['ATRIUM_OWNER_PASSWORD']],
    [{ ...owner, ATRIUM_OWNER_PASSWORD: canary.repeat(100) }, ['ATRIUM_OWNER_PASSWORD']],
    [{ ...owner, ATRIUM_ORGANIZATION: '' }, ['ATRIUM_ORGANIZATION']],
    [{ ATRIUM_ORGANIZATION: 'Engines' }, ['ATRIUM_OWNER_EMAIL', 'ATRIUM_OWNER_PASSWORD']],
    ...[
      'adfs.example',
      'adfs.example:',
      'adfs.example:0',
      'adfs.example:65536',
      'https://adfs.example:443',
      ':443',
      'a b:443',
    ].flatMap((hosts) => [
      faulty({ ATRIUM_SSO_PRIVATE_HOSTS: `10.0.0.1:443,${hosts}` }),
      faulty({ ATRIUM_SOURCE_PRIVATE_HOSTS: `10.0.0.1:443,${hosts}` }),
    ]),
    ...['10.0.0.1:443', '10.0.0.1:443=', '10.0.0.1:443=x', '10.0.0.1=*', '10.0.0.1:443=*=*'].map((hosts) =>
      faulty({ ATRIUM_WEBHOOK_PRIVATE_HOSTS: hosts }),
    ),
    ...['9.9.9.9', 'dns.example:53', '9.9.9.9:0', '999.9.9.9:53'].map((servers) =>
      faulty({ ATRIUM_DNS_SERVERS: servers }),
    ),
    ...['0', '3601', '-1', '1.5', '1e3', ' ٣'].map((text) => faulty({ ATRIUM_QUERY_TIMEOUT_SECONDS: text })),
    ...['0', '1000001', 'all'].map((text) => faulty({ ATRIUM_QUERY_MAX_ROWS: text })),
    ...['0', '10000000'].map((text) => faulty({ ATRIUM_API_REQUESTS_PER_MINUTE: text })),
    faulty({ ATRIUM_SESSION_REQUESTS_PER_MINUTE: '0' }),
    faulty({ ATRIUM_PROCESSOR_MS_PER_MINUTE: '99' }),
    ...['0', '10000000', '1GB'].map((text) => faulty({ ATRIUM_UPLOADS_MB: text })),
    ...['https://tables', 's3://', 's3://Tables', 's3://tables/../other', 's3://tables//a'].map((text) =>
      faulty({ ATRIUM_TABLES_URL: text }),
    ),
    ...['contoso', '01a21a2b-6c17-7000-9797-5d7dc933fab8 *', '*'].map((ids) =>
      faulty({ ATRIUM_WORKLOAD_ORGANIZATIONS: ids }),
    ),
    [
      { ATRIUM_WORKLOAD_ORGANIZATIONS: '01a21a2b-6c17-7000-9797-5d7dc933fab8' },
      ['ATRIUM_WORKLOAD_ORGANIZATIONS', 'ATRIUM_WORKLOAD_TOKEN_FILE'],
    ],
    [{ ATRIUM_TABLES_URL: 's3://tables' }, ['ATRIUM_TABLES_URL', 'DATABASE_URL']],
    [
      {
        DATABASE_URL: 'postgres://db.example/atrium',
        ATRIUM_SECRET_KEY: key,
        ATRIUM_TABLES_URL: 's3://tables',
        ATRIUM_BACKUP_DIR: '/backups',
      },
      ['ATRIUM_BACKUP_DIR', 'ATRIUM_TABLES_URL'],
    ],
    faulty({ AWS_ENDPOINT_URL_S3: 's3.example' }),
    ...['x', '65536'].map((text) => faulty({ ATRIUM_METRICS_PORT: text })),
    ...[canary, `${key} ${key}`, `${key}ä`].map((text) => faulty({ ATRIUM_METRICS_TOKEN: text })),
    ...['0', '8761'].map((text) => faulty({ ATRIUM_BACKUP_EVERY_HOURS: text })),
    ...['0', '-1'].map((text) => faulty({ ATRIUM_BACKUP_KEEP: text })),
    ...['-1', '301', '5s'].map((text) => faulty({ ATRIUM_DRAIN_SECONDS: text })),
    ...['off', 'none', 'Required'].map((text) => faulty({ ATRIUM_QUERY_SANDBOX: text })),
    ...['Operators', 'owners', 'everyone,operators'].map((text) =>
      faulty({ ATRIUM_ORGANIZATION_CREATION: text }),
    ),
    ...['63', '1048577', '512MB'].map((text) => faulty({ ATRIUM_QUERY_MEMORY_MB: text })),
    ...['loud', 'INFO'].map((level) => faulty({ ATRIUM_LOG_LEVEL: level })),
    ...['0', '3601', '1.5'].map((text) => faulty({ ATRIUM_SLOW_QUERY_SECONDS: text })),
    ...['yes', '1', 'True'].map((text) => faulty({ ATRIUM_LOG_REQUESTS: text })),
    ...[`https://user:${canary}@mail.example`, canary].map((url) => faulty({ ATRIUM_SMTP_URL: url })),
    ...['10.0.0.0/33', 'proxy.example', '10.0.0.0/', '10.0.0.0/8/8', '0.0.0.0/0', 'loopback'].map((proxies) =>
      faulty({ ATRIUM_TRUSTED_PROXIES: proxies }),
    ),
    [
      { PORT: 'x', ATRIUM_LOG_LEVEL: 'loud', ATRIUM_SECRET_KEY: canary },
      ['ATRIUM_LOG_LEVEL', 'ATRIUM_SECRET_KEY', 'PORT'],
    ],
  ];
  for (const [environment, named] of invalid) {
    test(`are refused with ${written(environment)}, by name and without the value`, () => {
      const refusal = refusalOf(environment);
      const names = refusal.match(/\b(PORT|DATABASE_URL|ATRIUM_[A-Z_]+|AWS_[A-Z0-9_]+)\b/g) ?? [];
      assert.deepEqual([...new Set(names)].toSorted(), named, refusal);
      assert.ok(!refusal.includes(canary.slice(0, 11)), refusal);
    });
  }
});

function faulty(environment: Environment): [Environment, string[]] {
  return [environment, Object.keys(environment)];
}

function refusalOf(environment: Environment): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof StartError, String(error));
    return error.message;
  }
  throw new assert.AssertionError({ message: 'These settings were accepted.' });
}

function written(environment: Environment): string {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value.slice(0, 60)}`);
  return settings.join(' ');
}
