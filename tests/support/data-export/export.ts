import assert from 'node:assert/strict';
import { readArchive } from '../archives.ts';
import { callAs, codeSecrets, furnishCode } from '../cli-code.ts';
import type { CliServer } from '../cli.ts';
import { filesOfficeOf } from '../data-sources/uploads.ts';
import { uuid } from './secrets.ts';

export const exportLine = (organizationId: string): string =>
  `GET /api/organizations/${organizationId}/data-export`;

interface Exported {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Every text of the archive. */
  readonly text: string;
  lines(path: string): Record<string, unknown>[];
}

/** Downloads the export of an organization, and returns its files. */
export async function readExport({ server, person, organizationId }: CliServer): Promise<Exported> {
  const response = await server.call(exportLine(organizationId), { as: person });
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-type'], 'application/zip');
  const files = await readArchive(response.bytes);
  return {
    files,
    text: [...files].map(([path, content]) => `${path}\n${String(content)}`).join('\n'),
    lines: (path) =>
      String(files.get(path))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Gives an organization something of everything, with secrets, and returns those that it has in the clear. */
export async function furnish(
  cli: CliServer,
): Promise<{ readonly ids: Record<string, string>; secrets: string[] }> {
  const { server, person, organizationId } = cli;
  const ids = await furnishCode(cli);
  const organization = `/api/organizations/${organizationId}`;
  const office = filesOfficeOf(server, { owner: person, organizationId, id: ids['files'] ?? '' });
  await office.upload('sales', 'a,b\n1,=cmd()\n');
  await office.upload('old', 'a\n3\n');
  await callAs(cli, `DELETE ${office.path}/tables/old`);
  await callAs(cli, `DELETE /api/dashboards/${ids['second']}`, undefined, { 'if-match': '*' });
  await callAs(
    cli,
    `PUT /api/dashboards/${ids['dashboard']}`,
    { name: '../../Sales: "EU"', widgets: [] },
    { 'if-match': '"1"' },
  );
  const webhook = await callAs(cli, `POST ${organization}/webhooks`, {
    url: 'https://hooks.example.com/canary-path-93?key=canary-query-94',
    events: ['dashboard.created'],
  });
  const invited = await callAs(cli, `POST ${organization}/invitations`, {
    email: 'new@example.com',
    role: 'viewer',
  });
  const link = await callAs(cli, `POST /api/dashboards/${ids['dashboard']}/display-links`, { name: 'Lobby' });
  const found = [JSON.stringify(webhook), JSON.stringify(invited), JSON.stringify(link)]
    .join(' ')
    .match(/(?<=[#"_])[\w-]{30,}(?=")/g);
  const secrets = [
    ...Object.values(codeSecrets),
    'canary-path-93',
    'canary-query-94',
    webhook.secret as string,
    cli.environment.ATRIUM_TOKEN,
    person.token,
    ...(found ?? []).filter((value) => !uuid.test(value)),
  ];
  return { ids, secrets };
}
