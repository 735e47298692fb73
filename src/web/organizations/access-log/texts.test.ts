import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessAction } from '#shared/access-actions.ts';
import { accessText } from './texts.ts';

test('an entry reads as a sentence', () => {
  const report = {
    action: 'report.exported',
    subjectId: 'r1',
    details: { format: 'spreadsheet-csv' },
  } as const;
  assert.equal(accessText({ ...report, subjectName: '<b>R</b>' }), 'exported the report “<b>R</b>” as CSV');
  assert.equal(accessText(report), 'exported the report r1 as CSV');
  assert.equal(accessText({ action: 'of.the.future' as AccessAction, details: {} }), 'of.the.future');
});
