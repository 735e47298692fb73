import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { Results } from './results.mjs';

// Several times what the longest file takes on a slow machine.
const fileTimeoutMs = 900_000;
const exitTimeoutMs = 180_000;
const program = join(import.meta.dirname, 'process.mjs');

/**
 * Runs test files in one process, and returns how many tests have passed, descriptions of what failed and of what this machine
 * can't run, and the output to print.
 * A file that ends the process or takes too long has failed, and the files after it run in another process.
 */
export async function runFiles(files, stopped) {
  const isShared = files.length > 1;
  const results = new Results(files, program);
  const stuck = new AbortController();
  let timer = setTimeout(() => stuck.abort(), fileTimeoutMs);
  const reporter = new spec();
  let output = isShared ? '' : `${files[0]}\n`;
  reporter.on('data', (chunk) => (output += chunk));

  const signal = AbortSignal.any([stopped, stuck.signal]);
  for await (const event of run({ files: [program], argv: files, signal })) {
    if (signal.aborted) continue;
    if (!isSummary(event)) reporter.write(event);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (!results.take(event)) continue;
    clearTimeout(timer);
    timer = setTimeout(() => stuck.abort(), results.waiting.length === 0 ? exitTimeoutMs : fileTimeoutMs);
  }
  clearTimeout(timer);
  await new Promise((done) => reporter.end(done));
  if (!isShared && !signal.aborted) results.completeFile();

  const { passedCount, failures, skipped, waiting } = results;
  const [file, ...others] = waiting;
  if (stuck.signal.aborted) {
    failures.push(file === undefined ? `${files.join(', ')} did not end` : `${file} took too long`);
  } else if (file !== undefined) {
    failures.push(`${file} ended its process`);
  }
  if (others.length === 0 || stopped.aborted) return { passedCount, failures, skipped, output };
  const rest = await runFiles(others, stopped);
  return {
    passedCount: passedCount + rest.passedCount,
    failures: [...failures, ...rest.failures],
    skipped: [...skipped, ...rest.skipped],
    output: output + rest.output,
  };
}

/** Whether an event is a summary of the program: `npm test` prints one for all programs. */
function isSummary({ type, data }) {
  if (type === 'test:summary') return true;
  return (
    type === 'test:diagnostic' &&
    data.nesting === 0 &&
    /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)
  );
}
