import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const unit = join(import.meta.dirname, '..', '..', 'deploy', 'systemd', 'atrium.service');
const analyze = (...words: readonly string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });
const skip = analyze('--version').status === 0 ? undefined : 'systemd-analyze is not installed';

test('systemd understands every line of the unit', { skip }, () => {
  const { stderr } = analyze('verify', unit);
  // The package is not where the unit expects it here.
  const complaints = stderr.split('\n').filter((line) => line !== '' && !line.includes('/opt/atrium'));
  assert.deepEqual(complaints, []);
});

test('the unit leaves the service little to attack', { skip }, () => {
  const { stdout } = analyze('security', '--offline=yes', '--json=short', unit);
  const { status } = analyze('security', '--offline=yes', '--threshold=35', unit);
  assert.equal(status, 0, stdout);
});

test('the unit allows what query workers are isolated with', () => {
  // Each of these breaks bubblewrap: a user namespace, or a /proc that is mounted in it.
  const breaking =
    /^(RestrictNamespaces|ProtectProc|ProcSubset|ProtectKernelTunables|ProtectKernelLogs|PrivateUsers)=/m;
  const text = readFileSync(unit, 'utf8');
  assert.doesNotMatch(text, breaking);
  assert.match(text, /^SystemCallFilter=.*@mount.* sethostname/m);
});
