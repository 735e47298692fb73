import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectSandbox } from '../../../src/server/engine/sandbox/detect-sandbox.ts';
import type { QuerySandbox } from '../../../src/server/engine/sandbox/sandbox.ts';

let detected: Promise<QuerySandbox> | undefined;

/** Returns the sandbox that a server on this machine would use, which is detected once. */
export function testSandbox(): Promise<QuerySandbox> {
  detected ??= detect();
  return detected;
}

async function detect(): Promise<QuerySandbox> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'atrium-sandbox-'));
  try {
    return await detectSandbox({ dataDirectory, temporaryDirectory: dataDirectory });
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}
