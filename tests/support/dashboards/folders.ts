import assert from 'node:assert/strict';
import type { Person, TestResponse } from '../server/test-server.ts';
import type { Team } from './team.ts';

/** What tests do with folders. */
export interface Folders {
  /** The path of the organization. */
  readonly path: string;
  /** Creates a folder, and returns its ID. */
  create(as: Person, name: string, parentId?: string): Promise<string>;
  change(as: Person, id: string, body: object): Promise<TestResponse>;
  share(as: Person, id: string, body: object): Promise<TestResponse>;
  /** Changes items. */
  act(as: Person, body: object): Promise<TestResponse>;
  /** Moves a dashboard or a report, and returns `done` or the code of the problem. */
  move(as: Person, id: string, folderId: string | null, kind?: 'dashboard' | 'report'): Promise<string>;
  /** Returns the names of the folders that a person may see, each with the name of the folder it is in. */
  tree(as: Person): Promise<string[]>;
}

/** Returns what tests do with folders of a team. */
export function foldersOf({ server, organizationId }: Pick<Team, 'server' | 'organizationId'>): Folders {
  const path = `/api/organizations/${organizationId}`;
  const create = async (as: Person, name: string, parentId?: string): Promise<string> => {
    const body = { name, ...(parentId !== undefined && { parentId }) };
    const response = await server.call(`POST ${path}/folders`, { as, body });
    assert.equal(response.status, 201, response.text);
    return response.body.id;
  };
  const change = async (as: Person, id: string, body: object) =>
    server.call(`PATCH /api/folders/${id}`, { as, body });
  const share = async (as: Person, id: string, body: object) =>
    server.call(`PUT /api/folders/${id}/access`, { as, body: { members: [], ...body } });
  const act = async (as: Person, body: object) => server.call(`POST ${path}/items`, { as, body });
  const move = async (as: Person, id: string, folderId: string | null, kind = 'dashboard') => {
    const { status, body } = await act(as, { action: 'move', folderId, items: [{ kind, id }] });
    if (status !== 200) return body.code;
    return body.items[0].done ? 'done' : body.items[0].code;
  };
  const tree = async (as: Person) => {
    const { body } = await server.call(`GET ${path}/folders`, { as });
    const items: { id: string; name: string; parentId?: string }[] = body.items;
    const nameOf = new Map(items.map(({ id, name }) => [id, name]));
    return items.map(({ name, parentId }) =>
      parentId === undefined ? name : `${nameOf.get(parentId)}/${name}`,
    );
  };
  return { path, create, change, share, act, move, tree };
}
