import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachment } from './attachment.ts';

test('a file is named after its content, whatever its name is', () => {
  const names: Record<string, string> = {
    'Orders by region': 'attachment; filename="Orders by region.csv"',
    'Umsätze 😀': `attachment; filename="Ums-tze --.csv"; filename*=UTF-8''Ums%C3%A4tze%20%F0%9F%98%80.csv`,
    'a"; filename="b.exe': 'attachment; filename="a-; filename=-b.exe.csv"',
    'a\r\nset-cookie: b=1': 'attachment; filename="a--set-cookie- b=1.csv"',
    '../../etc/passwd': 'attachment; filename=-..-etc-passwd.csv',
    '100%': `attachment; filename=100-.csv; filename*=UTF-8''100%25.csv`,
    "it's (1)": 'attachment; filename="it\'s (1).csv"',
    'a\u202egpj.': 'attachment; filename=a-gpj..csv',
    '…': `attachment; filename=-.csv; filename*=UTF-8''%E2%80%A6.csv`,
    ' . ': 'attachment; filename=file.csv',
    [`x`.repeat(200)]: `attachment; filename=${'x'.repeat(100)}.csv`,
  };
  for (const [name, expected] of Object.entries(names)) assert.equal(attachment(name, 'csv'), expected);
});
