import assert from 'node:assert/strict';
import type { TestResponse, Person, TestServer } from '../server/test-server.ts';

/** A data source of files, with its organization and owner. */
export interface FilesOffice {
  readonly server: TestServer;
  readonly owner: Person;
  readonly organizationId: string;
  /** `/api/data-sources/…` */
  readonly path: string;
  readonly id: string;
  upload(table: string, content: string | Buffer, type?: string, as?: Person): Promise<TestResponse>;
  /** Returns the rows of a table, or the code of the problem. */
  preview(table: string): Promise<unknown>;
}

/** Creates an organization with a data source of files. */
export async function openFilesOffice(server: TestServer): Promise<FilesOffice> {
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: owner,
    body: { name: 'Files', kind: 'files' },
  });
  assert.equal(created.status, 201);
  return filesOfficeOf(server, { owner, organizationId, id: created.body.id });
}

/** Returns an existing data source of files on a server. */
export function filesOfficeOf(
  server: TestServer,
  { owner, organizationId, id }: Pick<FilesOffice, 'owner' | 'organizationId' | 'id'>,
): FilesOffice {
  const path = `/api/data-sources/${id}`;
  return {
    server,
    owner,
    organizationId,
    path,
    id,
    upload: (table, content, type = 'text/csv', as = owner) =>
      server.call(`PUT ${path}/tables/${table}`, { as, body: content, headers: { 'content-type': type } }),
    preview: async (table) => {
      const { body } = await server.call(`GET ${path}/tables/${table}/preview`, { as: owner });
      return body.rows ?? body.code;
    },
  };
}
