import { existsSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { createSecretBox, type SecretBox } from '../../base/credentials/secret-box.ts';
import { readSecretKey } from '../../storage/secret-key-file.ts';
import { databaseFile } from '../../storage/data-directory.ts';
import { readFacts } from '../../storage/file-facts.ts';
import { checkSqlite } from '../../storage/sqlite/snapshot.ts';
import { contentOfRowFiles, linesOf, rowFile, withSqliteFile, type Content } from '../content.ts';
import { readManifest, type BackupFile, type Manifest } from '../manifest.ts';
import { checkSecrets } from './secrets.ts';
import { countSqliteRows, dumpFile } from '../snapshot.ts';
import { listStoredFiles } from '../stored-tables.ts';
import type { TableCheck } from './table-check.ts';

export interface Verified {
  readonly manifest: Manifest;
  /** Everything that is not as it was when the backup was made. */
  readonly faults: readonly string[];
  /** What could not be checked. */
  readonly notes: readonly string[];
}

/**
 * Reads and opens everything in a backup. The secrets are opened with the key in the backup, or else with `secretKeys`. Throws
 * a `StartError` if the directory isn't a complete backup.
 */
export async function verifyBackup(
  directory: string,
  secretKeys: readonly [string, ...string[]] | undefined,
  tableCheck: TableCheck,
): Promise<Verified> {
  const manifest = await readManifest(directory);
  const faults: string[] = [];
  const notes: string[] = [];
  for (const file of manifest.files) {
    const found = await checkFile(directory, file, tableCheck);
    faults.push(...found.map((fault) => `${file.path}: ${fault}`));
  }
  const isDatabaseWhole = !faults.some((fault) => /^(atrium\.sqlite|rows\/)/.test(fault));
  // Checking the content of a damaged file would only repeat the fault in other words.
  if (!isDatabaseWhole) return { manifest, faults, notes };
  try {
    faults.push(...(await checkDatabase(directory, manifest)));
    await withContent(directory, manifest, async (content) => {
      if (content === undefined) {
        notes.push('The secrets were not checked, since they are in the output of your own dump command.');
        return;
      }
      faults.push(...(await findFilesWithoutCopy(content, manifest)));
      const box = secretBoxOf(directory, secretKeys);
      const secrets = await checkSecrets(content, box);
      faults.push(...secrets.faults);
      if (box === undefined && secrets.count > 0)
        notes.push(
          `The secrets (${secrets.count}) were not opened, since the backup has no key and ATRIUM_SECRET_KEY is not set.`,
        );
    });
  } catch (error) {
    faults.push(`the database cannot be read: ${messageOf(error)}`);
  }
  return { manifest, faults, notes };
}

async function checkFile(
  directory: string,
  { path, sizeBytes, sha256, table }: BackupFile,
  tableCheck: TableCheck,
): Promise<string[]> {
  const file = join(directory, path);
  try {
    // A link could lead to any file, and a device has no end.
    if (!(await lstat(file)).isFile()) return ['it is not a plain file'];
    const facts = await readFacts(file);
    if (facts.sizeBytes !== sizeBytes)
      return [`it has ${facts.sizeBytes} bytes, and should have ${sizeBytes}`];
    if (facts.sha256 !== sha256) return ['its content has changed: the checksum is different'];
    return table === undefined ? [] : await tableCheck.findFaults(file, table);
  } catch (error) {
    return [codeOf(error) === 'ENOENT' ? 'it is missing' : `it cannot be read: ${messageOf(error)}`];
  }
}

async function checkDatabase(directory: string, { database, rowCounts }: Manifest): Promise<string[]> {
  if (database === 'dump') return checkDump(join(directory, dumpFile));
  if (database === 'rows') {
    const counts = await Promise.all(
      Object.keys(rowCounts).map(
        async (table) => [table, await countLines(rowFile(directory, table))] as const,
      ),
    );
    return compareCounts(rowCounts, Object.fromEntries(counts));
  }
  const file = databaseFile(directory);
  if (!existsSync(file)) return ['atrium.sqlite: it is missing'];
  const damage = checkSqlite(file).map((fault) => `atrium.sqlite: ${fault}`);
  if (damage.length > 0) return damage;
  return withSqliteFile(file, async (content) => compareCounts(rowCounts, countSqliteRows(content.database)));
}

/** `pg_dump` starts the archives that `pg_restore` reads with a signature; its other formats are text. */
async function checkDump(file: string): Promise<string[]> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return [`${dumpFile}: it is missing`];
  try {
    const { bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, 0);
    return bytesRead === 0 ? [`${dumpFile}: it is empty`] : [];
  } finally {
    await handle.close();
  }
}

async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const line of linesOf(file)) {
    JSON.parse(line);
    count += 1;
  }
  return count;
}

function compareCounts(
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(expected).flatMap(([table, count]) =>
    found[table] === count ? [] : [`${table}: it has ${found[table] ?? 'no'} rows, and should have ${count}`],
  );
}

/** Finds files of tables that the copied database refers to, and the backup doesn't have. */
async function findFilesWithoutCopy(content: Content, { files, faults }: Manifest): Promise<string[]> {
  const paths = new Set(files.map(({ path }) => path));
  return (await listStoredFiles(content))
    .filter(({ path }) => !paths.has(`sources/${path}`) && !faults.some((fault) => fault.includes(path)))
    .map(({ name, path }) => `the backup has no file of the table ${name}: sources/${path}`);
}

/** Calls `use` with the rows of the backup, or with undefined if only the operator's own command can read them. */
function withContent<Result>(
  directory: string,
  { database }: Manifest,
  use: (content: Content | undefined) => Promise<Result>,
): Promise<Result> {
  if (database === 'sqlite') return withSqliteFile(databaseFile(directory), use);
  return use(database === 'rows' ? contentOfRowFiles(directory) : undefined);
}

function secretBoxOf(
  directory: string,
  secretKeys: readonly [string, ...string[]] | undefined,
): SecretBox | undefined {
  const own = readSecretKey(directory);
  const [first, ...rest] = [...(own === undefined ? [] : [own]), ...(secretKeys ?? [])];
  return first === undefined ? undefined : createSecretBox([first, ...rest]);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
