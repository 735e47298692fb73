import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import { signIn } from '../server/account.ts';
import { startAtrium, type AtriumServer } from '../server/atrium-server.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../server/leftovers.ts';
import type { Measurement } from '../load/generator.ts';
import { listDashboardsBy, type Account, type LoadRequest } from '../load/requests.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatRatios, speedColumns } from '../table.ts';
import { openForBulk, preparedInsert } from './bulk.ts';
import { waitForIndex } from './indexed.ts';
import { storeDashboards } from './stored.ts';

const connections = 50;
const folderCount = 500;
const dashboardCount = 10_000;
/** One of so many folders is restricted. */
const restrictedEvery = 10;
const depth = 5;
/** The goal: a list takes as long as without folders. The rest is for noise. */
const maxRatio = 1.1;

const orders = ['created', 'name', 'updated'] as const;

interface Compared {
  readonly name: string;
  readonly base: Measurement[];
  readonly subject: Measurement[];
}

/**
 * Measures lists of 50 dashboards of an organization with folders against the list of one without, which has as many dashboards,
 * alternately in the same run.
 */
export async function measureFolderLists(bench: Bench): Promise<Section> {
  const [plain, filed] = [await startFilled(false), await startFilled(true)];
  const compared: Compared[] = [];
  for (const { name, queries } of kinds(filed.folderIds)) {
    const base: Measurement[] = [];
    const subject: Measurement[] = [];
    const sort = new URLSearchParams(queries[0]).get('sort');
    const measured = [
      { ...plain, requests: [requestOf(plain.account, `&sort=${sort}`)], results: base },
      { ...filed, requests: queries.map((query) => requestOf(filed.account, query)), results: subject },
    ];
    for (let round = 0; round <= bench.rounds; round += 1) {
      for (const { server, requests, results } of measured) {
        const result = await bench.drive(server, {
          connections,
          requests,
          until: { seconds: bench.seconds },
        });
        if (round > 0) results.push(result);
      }
    }
    compared.push({ name, base, subject });
  }
  for (const { server, directory } of [plain, filed]) {
    await server.stop();
    removeTemporaryDirectory(directory);
  }
  return {
    title:
      `Lists of 50 among ${dashboardCount} dashboards in ${folderCount} folders, against as many without folders: ` +
      `${connections} connections, medians of ${bench.rounds} rounds`,
    rows: compared.map(({ name, base, subject }) => ({
      request: name,
      ...speedColumns(subject),
      'p50 of that without': formatRatios(ratios(base, subject, 'p50')),
      'p99 of that without': formatRatios(ratios(base, subject, 'p99')),
    })),
    goals: compared.flatMap(({ name, base, subject }) =>
      (['p50', 'p99'] as const).map((part) => ({
        what: `${part} of ${name}, of that without folders`,
        value: median(ratios(base, subject, part)),
        unit: '' as const,
        bound: { atMost: maxRatio },
      })),
    ),
    details: compared,
  };
}

const ratios = (
  base: readonly Measurement[],
  subject: readonly Measurement[],
  part: 'p50' | 'p99',
): readonly number[] =>
  subject.map(({ latencyMs }, index) => latencyMs[part] / (base[index]?.latencyMs[part] ?? NaN));

const requestOf = (account: Account, query: string): LoadRequest =>
  listDashboardsBy(account, 'list', `?organizationId=${account.organizationId}${query}`);

/** Returns each kind of list: of all folders, of none, and of some folders, in each order. */
const kinds = (folderIds: readonly string[]) =>
  orders.flatMap((sort) => [
    { name: `all folders by ${sort}`, queries: [`&sort=${sort}`] },
    { name: `no folder by ${sort}`, queries: [`&sort=${sort}&folderId=none`] },
    {
      name: `a folder by ${sort}`,
      queries: folderIds.slice(0, 100).map((id) => `&sort=${sort}&folderId=${id}`),
    },
  ]);

interface Filled {
  readonly server: AtriumServer;
  readonly account: Account;
  readonly directory: string;
  readonly folderIds: readonly string[];
}

/** Starts a server with the dashboards, in folders or not. */
async function startFilled(isFiled: boolean): Promise<Filled> {
  const directory = makeTemporaryDirectory();
  await (await startAtrium(directory)).stop();
  await storeDashboards(directory, { dashboardCount, neighborCount: 0 });
  const folderIds = isFiled ? storeFolders(directory) : [];
  const server = await startAtrium(directory);
  const account = await signIn(server.origin);
  await waitForIndex(server.origin, account);
  return { server, account, directory, folderIds };
}

/** Stores folders in each other, and puts every dashboard but each twentieth into one. Returns their IDs. */
function storeFolders(directory: string): string[] {
  const database = openForBulk(join(directory, 'atrium.sqlite'));
  database.exec('begin');
  const row = database.prepare('select user_id, organization_id from members').get();
  const place = { organization_id: String(row?.['organization_id']), user_id: String(row?.['user_id']) };
  const insertFolder = preparedInsert(database, 'folders');
  const insertPath = preparedInsert(database, 'folder_paths');
  const at = new Date().toISOString();
  const folderIds: string[] = [];
  for (let index = 0; index < folderCount; index += 1) {
    const id = randomUUIDv7();
    const around = folderIds.slice(index - (index % depth)).toReversed();
    const restricted = index % restrictedEvery === restrictedEvery - 1 ? 1 : 0;
    insertFolder({
      id,
      ...place,
      parent_id: around[0] ?? null,
      name: `Folder ${index}`,
      personal_user_id: null,
      restricted,
      restricted_path: restricted,
      version: 1,
      created_at: at,
      updated_at: at,
    });
    for (const [distance, ancestor] of [id, ...around].entries())
      insertPath({ folder_id: id, ancestor_id: ancestor, distance });
    folderIds.push(id);
  }
  const put = database.prepare('update dashboards set folder_id = ? where id = ?');
  const dashboards = database.prepare('select id from dashboards where organization_id is not null').all();
  for (const [index, { id }] of dashboards.entries()) {
    if (index % 20 !== 0) put.run(folderIds[index % folderCount] ?? null, String(id));
  }
  database.exec('commit');
  database.close();
  return folderIds;
}
