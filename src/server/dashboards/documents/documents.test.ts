import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { watchCpuTime } from '../../../../tests/support/cpu-time.ts';
import {
  documentsOf,
  furnish,
  openOffice,
  restrictDashboard,
  startOffice,
} from '../../../../tests/support/dashboards/office.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';
import { contentOfDocument } from './documents.ts';

describeOnUsualEngine('dashboards as documents', (engine) => {
  test('are exported in a stable form, which imports without changes', async (context) => {
    const office = await startOffice(context, engine);
    await furnish(office);
    const text = await office.export();
    const [sales, empty] = documentsOf(text);
    const { body } = await office.server.call(`GET /api/dashboards/${sales.id}`, { as: office.owner });
    const { id, name, description, widgets } = body;
    const document = { format: 'atrium.dashboard/1', id, name, description, widgets };
    assert.equal(JSON.stringify(sales), JSON.stringify(document));
    assert.deepEqual(Object.keys(empty), ['format', 'id', 'name', 'widgets']);
    assert.equal(await office.export(), text);
    const again = await office.import(documentsOf(text));
    assert.deepEqual(
      again.body.items.map(({ action }: { action: string }) => action),
      ['unchanged', 'unchanged'],
    );
    assert.equal(await office.export(), text);
  });

  test('are imported into another organization and exported from it byte for byte', async (context) => {
    const office = await startOffice(context, engine);
    const other = await openOffice(office.server);
    await furnish(other);
    const others = documentsOf(await other.export());
    await furnish(office);
    // In the order of the IDs, they are between those that were created there.
    await office.create({ name: 'Last' });
    const text = await office.export();
    assert.equal((await other.import(documentsOf(text))).status, 200);
    const all = documentsOf(await other.export());
    const ids: string[] = all.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted());
    const isTheirs = ({ id }: { id: string }) => others.some((theirs) => theirs.id === id);
    const imported = all.filter((document) => !isTheirs(document));
    assert.equal(imported.map((document) => `${JSON.stringify(document)}\n`).join(''), text);
    assert.equal(await office.export(), text);
  });

  test('include those that the reader may see, and none from the trash', async (context) => {
    const office = await startOffice(context, engine);
    const viewer = await office.member('viewer');
    const [seen, restricted, deleted] = [
      await office.create({ name: 'Seen' }),
      await office.create({ name: 'Restricted' }),
      await office.create({ name: 'Deleted' }),
    ];
    await office.server.call('POST /api/dashboards', { as: office.owner, body: { name: 'Own' } });
    await restrictDashboard(office, restricted.id);
    await office.server.call(`DELETE /api/dashboards/${deleted.id}`, { as: office.owner });
    const idsFor = async (as: typeof viewer) => documentsOf(await office.export(as)).map(({ id }) => id);
    assert.deepEqual(await idsFor(viewer), [seen.id]);
    assert.deepEqual(await idsFor(office.owner), [seen.id, restricted.id]);
  });

  test('are all exported when there are several pages of them', async (context) => {
    const office = await startOffice(context, engine);
    const documents = Array.from({ length: 450 }, (_, index) => ({
      format: 'atrium.dashboard/1',
      id: crypto.randomUUID(),
      name: `Dashboard ${index}`,
      widgets: [],
    })).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    assert.equal((await office.import(documents)).status, 200);
    await office.create({ name: 'Created here' });
    const all = documentsOf(await office.export());
    assert.equal(all.length, 451);
    assert.deepEqual(
      all.filter(({ name }) => name !== 'Created here'),
      documents,
    );
  });

  test('survive an export and import with any content', async (context) => {
    const office = await startOffice(context, engine);
    const other = await openOffice(office.server);
    const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ' '));
    const name = text.filter((one) => one !== '__proto__' && one !== 'constructor');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constant(null),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        text,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    const whole = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    const widget = fc.record(
      {
        reportId: text,
        layout: fc.record({ x: whole, y: whole, w: whole, h: whole }),
        config: fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }),
      },
      { requiredKeys: ['reportId', 'layout'] },
    );
    const dashboard = fc.record(
      {
        name: text.filter((one) => one !== ''),
        description: text,
        widgets: fc.array(widget, { maxLength: 4 }),
      },
      { requiredKeys: ['name'] },
    );
    await fc.assert(
      fc.asyncProperty(dashboard, async (body) => {
        const { id } = await office.create(body);
        const line = (await office.export()).split('\n').find((one) => one.includes(id)) ?? '';
        const imported = await other.import(documentsOf(`${line}\n`));
        assert.equal(imported.body?.items[0].action, 'create', imported.text);
        const back = (await other.export()).split('\n').find((one) => one.includes(id));
        assert.equal(back, line);
        const again = await other.import(documentsOf(`${line}\n`));
        assert.equal(again.body.items[0].action, 'unchanged');
      }),
      { numRuns: 40 },
    );
  });
});

const withOwnIds = { toDocumentId: (id: string) => id, toReportId: (id: string) => id };

test('documents with many equal widgets are matched quickly', () => {
  const widget = { reportId: 'r', layout: { x: 0, y: 0, w: 1, h: 1 } };
  const widgets = Array.from({ length: 60_000 }, () => widget);
  const document = { format: 'atrium.dashboard/1', id: crypto.randomUUID(), name: 'Same', widgets } as const;
  const { content } = contentOfDocument(document, [], withOwnIds);
  const cpuMs = watchCpuTime();
  const again = contentOfDocument(document, content.widgets, withOwnIds);
  assert.ok(cpuMs() < 1_500, `${cpuMs()} ms`);
  assert.deepEqual(again, { content, newWidgetIds: 0 });
});
