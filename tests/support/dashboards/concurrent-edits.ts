import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dashboard, DashboardEdit } from '#contract/dashboards/dashboards.ts';
import { isSameContent, type DashboardContent } from '../../../src/server/dashboards/content/content.ts';
import { mergeContents } from '../../../src/server/dashboards/content/merge.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';

/** Sends a request as one of the clients, to a server that the caller chooses. */
export type SendAs = (
  client: number,
  line: string,
  options?: { readonly body?: object; readonly headers?: Record<string, string> },
) => Promise<{
  readonly status: number;
  readonly headers: IncomingHttpHeaders | Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into what they expect.
  readonly body: any;
}>;

/** A save that the server acknowledged, with the version and the record of the response. */
interface Acknowledged {
  readonly base: number;
  readonly edit: DashboardEdit;
  readonly version: number;
  readonly stored: Dashboard;
}

interface Seen {
  readonly version: number;
  readonly record: Dashboard;
}

/**
 * Makes clients edit one dashboard randomly at the same time, each based on the version that it saw last. Asserts that
 * replaying the acknowledged edits one after the other leads to every version and the final record. Returns how many
 * were merged, and how many were refused because of a conflict.
 */
export async function editAtOnce(
  send: SendAs,
  input: { path: string; clients: number; edits: number; seed: number },
): Promise<{ merged: number; conflicts: number }> {
  const { path, clients, edits, seed } = input;
  const first = await look(send, 0, path);
  const acknowledged: Acknowledged[] = [];
  let conflicts = 0;

  async function runClient(client: number): Promise<void> {
    const random = seededRandom(seed + client);
    let seen = first;
    for (let edit = 0; edit < edits / clients; edit += 1) {
      if (random.integer(1, 4) === 1) seen = await look(send, client, path);
      const body = randomEdit(random, seen.record);
      const headers = { 'if-match': `"${seen.version}"` };
      const response = await send(client, `PUT ${path}`, { body, headers });
      if (response.status === 412) {
        assert.equal(response.body.code, 'edit_conflict', `seed ${seed}`);
        conflicts += 1;
        seen = { version: versionOf(response.body.etag), record: response.body.current };
        continue;
      }
      if (response.status === 503 && response.body.detail === 'The database does not respond.') {
        // The machine is too busy. Nothing was stored, or the versions below would not match.
        seen = await look(send, client, path);
        continue;
      }
      assert.equal(response.status, 200, `seed ${seed}: ${JSON.stringify(response.body)}`);
      const version = versionOf(response.headers['etag']);
      acknowledged.push({ base: seen.version, edit: body, version, stored: response.body });
      seen = { version, record: response.body };
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));

  const last = await look(send, 0, path);
  const versions = replay(first, acknowledged, seed);
  assert.equal(last.version, versions.size, `seed ${seed}`);
  assert.deepEqual(contentOf(last.record), versions.get(last.version), `seed ${seed}`);
  assertWidgets(first, acknowledged, last, seed);
  const merged = acknowledged.filter(({ base, version }) => version > base + 1).length;
  return { merged, conflicts };
}

async function look(send: SendAs, client: number, path: string): Promise<Seen> {
  const { status, headers, body } = await send(client, `GET ${path}`);
  assert.equal(status, 200);
  return { version: versionOf(headers['etag']), record: body };
}

const versionOf = (etag: unknown): number => Number(String(etag).slice(1, -1));

function randomEdit(random: SeededRandom, { name, description, widgets }: Dashboard): DashboardEdit {
  const same = { name, ...(description !== undefined && { description }), widgets };
  const at = random.integer(0, Math.max(0, widgets.length - 1));
  const change = (part: object) => ({
    ...same,
    widgets: widgets.map((widget, index) => (index === at ? { ...widget, ...part } : widget)),
  });
  const kinds = ['add', 'remove', 'report', 'layout', 'config', 'config', 'name', 'order'] as const;
  const layout = () => ({ x: random.integer(0, 6), y: random.integer(0, 40), w: 6, h: 4 });
  switch (widgets.length < 5 ? 'add' : random.pick(kinds)) {
    case 'add':
      return {
        ...same,
        widgets: [...widgets, { reportId: `report ${random.integer(0, 1e9)}`, layout: layout() }],
      };
    case 'remove':
      return { ...same, widgets: widgets.toSpliced(at, 1) };
    case 'report':
      return change({ reportId: `report ${random.integer(0, 1e9)}` });
    case 'layout':
      return change({ layout: layout() });
    case 'config':
      return change({ config: { title: random.integer(0, 1e9) } });
    case 'name':
      return { ...same, name: `Name ${random.integer(0, 1e9)}` };
    case 'order':
      return { ...same, widgets: [...widgets.slice(at), ...widgets.slice(0, at)] };
  }
}

/**
 * Returns the content of each version, after asserting that each is the previous one with one save applied. All other
 * saves with the same version in the response must not change anything there.
 */
function replay(
  first: Seen,
  acknowledged: readonly Acknowledged[],
  seed: number,
): Map<number, DashboardContent> {
  const contents = new Map([[first.version, contentOf(first.record)]]);
  const byVersion = Map.groupBy(acknowledged, ({ version }) => version);
  for (const [version, saves] of [...byVersion].toSorted(([one], [other]) => one - other)) {
    const [save] = saves;
    assert.ok(save);
    const content = contentOf(save.stored);
    const before = contents.get(version - 1);
    const makers = saves.filter((one) => before !== undefined && makes(contents, one, before, content));
    const idle = saves.filter(
      (one) => makes(contents, one, content, content) || isRepeated(one, acknowledged),
    );
    // There is more than one if two people made the same change.
    assert.ok(makers.length > 0 || version === first.version, `seed ${seed}: version ${version}`);
    assert.equal(new Set([...makers, ...idle]).size, saves.length, `seed ${seed}: version ${version}`);
    contents.set(version, content);
  }
  return contents;
}

/** Whether the same save was sent before: the server treats it as a retry. */
const isRepeated = (save: Acknowledged, acknowledged: readonly Acknowledged[]): boolean =>
  acknowledged.some(
    ({ base, edit, version }) =>
      version < save.version && base === save.base && JSON.stringify(edit) === JSON.stringify(save.edit),
  );

/** Whether a save turns one content into another. */
function makes(
  contents: ReadonlyMap<number, DashboardContent>,
  { base, edit, stored }: Acknowledged,
  from: DashboardContent,
  to: DashboardContent,
): boolean {
  const { merged, conflicts } = mergeContents(contents.get(base) ?? to, withIds(edit, stored, from), from);
  return conflicts.length === 0 && isSameContent(merged, to);
}

/** Fills in the id that the server gave the only new widget of an edit. */
function withIds(edit: DashboardEdit, stored: Dashboard, before: DashboardContent): DashboardContent {
  const known = new Set(before.widgets.map(({ id }) => id));
  const added = stored.widgets.find(({ id }) => !known.has(id))?.id;
  const { name, description, widgets } = edit;
  return {
    name,
    ...(description !== undefined && { description }),
    widgets: widgets.map(({ id = added ?? 'none', reportId, layout, config = {} }) => {
      assert.ok(layout);
      return { id, reportId, layout, config };
    }),
  };
}

/** Asserts that the dashboard has exactly the widgets that were added and never removed. */
function assertWidgets(first: Seen, acknowledged: readonly Acknowledged[], last: Seen, seed: number): void {
  const idsOf = ({ widgets }: Dashboard) => widgets.map(({ id }) => id);
  const ever = new Set([first.record, ...acknowledged.map(({ stored }) => stored)].flatMap(idsOf));
  const seenAt = new Map(
    [first, ...acknowledged.map(({ version, stored }) => ({ version, record: stored }))].map(
      ({ version, record }) => [version, new Set(idsOf(record))],
    ),
  );
  const removed = new Set(
    acknowledged.flatMap(({ base, edit }) => {
      const kept = new Set(edit.widgets.map(({ id }) => id));
      return [...(seenAt.get(base) ?? [])].filter((id) => !kept.has(id));
    }),
  );
  const expected = [...ever].filter((id) => !removed.has(id));
  assert.deepEqual(idsOf(last.record).toSorted(), expected.toSorted(), `seed ${seed}`);
}

function contentOf({ name, description, widgets }: Dashboard): DashboardContent {
  return { name, ...(description !== undefined && { description }), widgets };
}
