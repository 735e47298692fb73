import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashboardFormat } from '#contract/records/documents.ts';
import { reportIdsOf } from '#shared/dashboard-filters/definitions.ts';
import { contentOfDocument, documentOf } from './documents.ts';

test('tabs, sections and their widgets are in documents, and tabs and sections count as no reports', () => {
  const report = '01a1feec-0325-7000-8188-5a8423f9b2e3';
  const inDocument = '11111111-1111-4111-8111-111111111111';
  const ids = {
    toDocumentId: (id: string) => (id === report ? inDocument : id),
    toReportId: (id: string) => (id === inDocument ? report : id),
  };
  const document = {
    format: dashboardFormat,
    id: '22222222-2222-4222-8222-222222222222',
    name: 'Costs',
    widgets: [
      { reportId: 'builtin:tab', config: { key: 'costs', title: 'Costs' } },
      { reportId: 'builtin:section', config: { key: 'month', parent: 'costs', isCollapsed: true } },
      { reportId: inDocument, config: { parent: 'month' } },
    ],
  } as const;
  const { content } = contentOfDocument({ ...document, widgets: [...document.widgets] }, [], ids);
  assert.deepEqual(reportIdsOf(content.widgets), [report]);
  const exported = documentOf(document.id, content, ids);
  assert.deepEqual(
    exported.widgets.map(({ reportId, config }) => ({ reportId, config })),
    document.widgets,
  );
  // Importing the same again, without the IDs of widgets, changes nothing.
  const again = contentOfDocument({ ...document, widgets: [...document.widgets] }, content.widgets, ids);
  assert.deepEqual(again, { content, newWidgetIds: 0 });
});
