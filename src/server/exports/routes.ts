import type { FastifyReply } from 'fastify';
import * as contract from '#contract/dashboards/exports.ts';
import { clientSignal } from '../http/request/client-signal.ts';
import { whileSilent } from '../http/limits/idle-connections.ts';
import { attachment } from '../http/response/attachment.ts';
import type { Call, Serve } from '../http/serve.ts';
import type { ExportDependencies } from './exports.ts';
import { firstLanguage } from './language.ts';

/** Serves dashboards and widgets as files. The code is loaded at its first use. */
export function serveExports(serve: Serve, dependencies: ExportDependencies): void {
  async function send(
    { actor, query, headers }: Call<typeof contract.exportDashboard | typeof contract.exportWidget>,
    shown: { readonly id: string; readonly widgetId?: string },
    reply: FastifyReply,
  ): Promise<Buffer> {
    // Names of filters have no hyphen, so that they can't be the same.
    const {
      'file-format': format = 'pdf',
      'time-zone': timeZone,
      'chart-patterns': patterns,
      'text-language': textLanguage,
      ...values
    } = query;
    const { exportDashboard } = await import('./exports.ts');
    const { name, file } = await whileSilent(reply, () =>
      exportDashboard(dependencies, actor, {
        ...shown,
        format,
        timeZone,
        hasPatterns: patterns === 'on',
        textLanguage,
        values,
        language: firstLanguage(headers['accept-language']),
        signal: clientSignal(reply),
        onFailure: (error) => reply.log.error({ err: error }, 'A report of an export failed'),
      }),
    );
    reply.type(contract.exportMediaTypes[format]);
    reply.header('content-disposition', attachment(name, format));
    return file;
  }
  serve(contract.exportDashboard, (call, reply) => send(call, { id: call.params.dashboardId }, reply));
  serve(contract.exportWidget, (call, reply) =>
    send(call, { id: call.params.dashboardId, widgetId: call.params.widgetId }, reply),
  );
}
