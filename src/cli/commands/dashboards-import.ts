import type { Run } from '../command.ts';
import type { RecordDocument } from '../code/formats.ts';
import { importFiles, toChange } from '../code/kinds/records.ts';
import { describeChanges } from '../code/plan.ts';
import { connect, getOrganizationId } from '../connection/connect.ts';
import { CommandFailure } from '../failure.ts';
import { convertForeign, noteLines } from '../foreign/convert.ts';
import { required } from '../usage/usage.ts';

/** `atrium dashboards import FILE`: a dashboard of Grafana or an export of Metabase. */
export const importDashboards: Run = async (place, values) => {
  const server = await connect(place);
  const organizationId = await getOrganizationId(server, values);
  const sources: { readonly id: string; readonly name: string; readonly kind: 'files' | 'postgresql' }[] = [];
  const params = { orgId: organizationId };
  for await (const source of server.client.items('GET /api/organizations/{orgId}/data-sources', { params }))
    sources.push(source);
  const conversion = await convertForeign(required(values, 'file'), values['source'], async (named) => {
    const found = sources.filter(({ id, name }) => id === named || name === named);
    if (found.length > 1)
      throw new CommandFailure(
        `Several data sources have this name. Use one of these IDs: ${found.map(({ id }) => id).join(', ')}.`,
      );
    return found[0] && { name: found[0].name, kind: found[0].kind };
  });
  const files = conversion.documents.map((document) => ({
    name: document.name,
    // Sound because a converted document has these members, and the server checks the rest.
    document: document as RecordDocument,
  }));
  const isDryRun = values['dry-run'] !== undefined;
  const items = await importFiles({ server, organizationId }, files, {
    isDryRun,
    folderId: values['folder'],
  });
  const changes = items.flatMap(toChange);
  const text = [
    describeChanges(changes, items.length - changes.length),
    ...noteLines(conversion),
    isDryRun ? 'This was a dry run. Nothing was changed.' : 'Done.',
  ].join('\n');
  const { notes, noteCount } = conversion;
  return {
    text,
    data: { items, isDryRun, notes, noteCount },
    exitCode: isDryRun && changes.length > 0 ? 3 : 0,
  };
};
