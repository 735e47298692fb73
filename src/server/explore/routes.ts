import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import * as contract from '#contract/explore.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import { whileIdle, whileSilent } from '../http/limits/idle-connections.ts';
import { JsonStream, JsonText, type Serve } from '../http/serve.ts';
import { toResultJson } from '../reports/runs/result-json.ts';
import type { ResultDependencies } from '../reports/runs/allowed-values.ts';

/** Serves the exploration of tables and results, whose code is loaded at its first use. */
export function serveExplore(serve: Serve, dependencies: ResultDependencies): void {
  serve(contract.profileColumns, async ({ actor, body }, reply) => {
    const { profileColumns } = await import('./profile.ts');
    return stream(
      reply,
      await whileSilent(reply, () => profileColumns(dependencies, actor, body, optionsOf(reply))),
    );
  });
  serve(contract.countCells, async ({ actor, body }, reply) => {
    const { countCells } = await import('./cube.ts');
    return stream(
      reply,
      await whileSilent(reply, () => countCells(dependencies, actor, body, optionsOf(reply))),
    );
  });
  serve(contract.listSelectedRows, async ({ actor, body }, reply) => {
    const { listSelectedRows } = await import('./rows.ts');
    const result = await whileSilent(reply, () =>
      listSelectedRows(dependencies, actor, body, clientSignal(reply)),
    );
    const json = toResultJson({ result, faults: [] });
    return typeof json === 'string' ? new JsonText(json) : new JsonStream(json);
  });
}

const optionsOf = (reply: FastifyReply) => ({
  signal: clientSignal(reply),
  onFailure: (error: unknown) => reply.log.error({ err: error }, 'A column could not be explored'),
});

const stream = (reply: FastifyReply, lines: AsyncGenerator<object>): Readable =>
  Readable.from(whileIdle(reply, toText(lines)), { objectMode: false });

async function* toText(lines: AsyncGenerator<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
