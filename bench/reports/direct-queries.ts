// The baseline of queries, in a process of its own: the same SQL on the same tables through DuckDB's own client, with the
// settings of a worker, on one connection that stays open. It runs the jobs that its parent sends one after the other.
import { DuckDBInstance } from '@duckdb/node-api';
import { defaultLimits } from '../../src/server/engine/limits.ts';

export type DirectJob =
  | { readonly kind: 'make'; readonly query: string; readonly parquetFile: string }
  | { readonly kind: 'open'; readonly databaseFile: string; readonly table: string }
  | { readonly kind: 'time'; readonly queries: readonly string[]; readonly count: number };

/** How long each query took in each of `count` rounds. */
export type DirectResponse =
  | { readonly timesMs: readonly (readonly number[])[] }
  | { readonly error: string };

const { threads, memoryBytes } = defaultLimits;
const instance = await DuckDBInstance.create(':memory:', {
  threads: String(threads),
  memory_limit: `${memoryBytes}B`,
});
const connection = await instance.connect();

async function obey(job: DirectJob): Promise<number[][]> {
  switch (job.kind) {
    case 'make':
      await connection.run(`COPY (${job.query}) TO '${job.parquetFile}' (FORMAT parquet)`);
      return [];
    case 'open':
      await connection.run(`ATTACH '${job.databaseFile}' AS source (READ_ONLY)`);
      await connection.run(`CREATE VIEW ${job.table} AS FROM source.main.data`);
      return [];
    case 'time': {
      const rounds: number[][] = [];
      for (let round = 0; round < job.count; round += 1) {
        const timesMs: number[] = [];
        for (const query of job.queries) timesMs.push(await time(query));
        rounds.push(timesMs);
      }
      return rounds;
    }
  }
}

async function time(query: string): Promise<number> {
  const startedAt = performance.now();
  (await connection.runAndReadAll(query)).getRows();
  return performance.now() - startedAt;
}

const respond = (message: DirectResponse) => process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (job: DirectJob) => {
  obey(job).then(
    (timesMs) => respond({ timesMs }),
    (error: unknown) => respond({ error: String(error) }),
  );
});
