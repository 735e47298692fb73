import { StartError } from '../base/errors.ts';
import { readFirstOwner, type FirstOwner } from './first-owner.ts';
import { settingsTable, type Setting } from './table.ts';
import type { Environment } from './values.ts';

type Table = typeof settingsTable;

type Values = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** The values of the table, with the defaults that depend on other settings. */
export type Settings = Values & {
  readonly publicUrl: string;
  readonly drainSeconds: number;
  readonly firstOwner: FirstOwner | undefined;
};

/**
 * Reads the settings from environment variables; an empty variable counts as absent. Throws a `StartError` that
 * names every variable with an invalid value, and never shows a value that could contain a secret.
 */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];

  function read<Value>({ variable, fallback, parse, expected }: Setting<Value>): Value {
    const text = environment[variable]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) faults.push(`${variable} must be ${expected}.`);
    return value ?? fallback;
  }

  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, setting]) => [name, read<unknown>(setting)]),
    // Sound because each value comes from its own parser.
  ) as Values;
  const isEmbedded = values.databaseUrl === undefined;
  if (!isEmbedded && !environment[settingsTable.secretKeys.variable]?.trim()) {
    faults.push('ATRIUM_SECRET_KEY must be set if DATABASE_URL is set, since all replicas share the key.');
  }
  if (isEmbedded && values.tablesUrl !== undefined) {
    faults.push(
      'ATRIUM_TABLES_URL can only be set if DATABASE_URL is set: it is for replicas without a shared disk.',
    );
  }
  if (values.workloadOrganizations.length > 0 && values.workloadTokenFile === undefined) {
    faults.push('ATRIUM_WORKLOAD_ORGANIZATIONS can only be set if ATRIUM_WORKLOAD_TOKEN_FILE is set.');
  }
  if (values.backupDirectory !== undefined && values.tablesUrl !== undefined) {
    faults.push(
      'ATRIUM_BACKUP_DIR must not be set if ATRIUM_TABLES_URL is set, since backups do not contain tables of a bucket.',
    );
  }
  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`;
  const drainSeconds = values.drainSeconds ?? (isEmbedded ? 0 : 5);
  const settings = { ...values, publicUrl, drainSeconds, firstOwner: readFirstOwner(environment, faults) };
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  return settings;
}
