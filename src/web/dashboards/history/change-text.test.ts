import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withReportNames } from './change-text.ts';

test('reports are named, and text that only looks like a report ID is unchanged', () => {
  const id = '01a1feec-0325-7000-8188-5a8423f9b2e3';
  const summary = `Widget of report “${id}” now shows report “${id}”; “${id}” and “revenue” stay.`;
  assert.equal(
    withReportNames({ summary }, () => '$& Flights'),
    `Widget of report “$& Flights” now shows report “$& Flights”; “${id}” and “revenue” stay.`,
  );
});
