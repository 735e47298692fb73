// A process of `npm test`: runs the test files of its arguments one after another, each as a suite with the name of the file.
// A single file runs as it does without this program.
import { resolve } from 'node:path';
import { after, describe } from 'node:test';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { reportCost, usedSeconds } from './costs.mjs';

const closeWithinMs = 180_000;
const files = process.argv.slice(2);

if (files.length === 1) await runAlone(files[0]);
else await runInTurn();

async function runAlone(file) {
  process.once('exit', () => reportCost(file, usedSeconds()));
  await import(pathToFileURL(resolve(file)));
}

async function runInTurn() {
  // Node ends a run when its process has nothing left to wait for, as between two files.
  const untilTheEnd = setInterval(() => undefined, 2 ** 30);

  // Node opens these at their first use, such as an import of node:process, which would count as something left open.
  void [process.stdin, process.stdout, process.stderr];

  // The start of the process counts for the first file.
  let usedBefore = 0;
  for (const file of files) {
    const openBefore = process.getActiveResourcesInfo().length;
    await describe(file, async () => {
      await import(pathToFileURL(resolve(file)));
      // Runs after the hooks of the file itself.
      after(async () => {
        await untilClosed(openBefore);
        requireNoLateError();
      });
    });
    await untilReported();
    const used = usedSeconds();
    reportCost(file, used - usedBefore);
    usedBefore = used;
  }
  clearInterval(untilTheEnd);
}

/** Rejects if the file left something open, which would keep a process of its own from ending. */
async function untilClosed(openBefore) {
  const deadline = Date.now() + closeWithinMs;
  for (;;) {
    const open = process.getActiveResourcesInfo();
    if (open.length <= openBefore) return;
    if (Date.now() > deadline) throw new Error(`The file left these open: ${open.join(', ')}`);
    await delay(5);
  }
}

/** Node only sets the exit code then. At the end of the process, it names the error and its test. */
function requireNoLateError() {
  if (process.exitCode === undefined) return;
  process.exitCode = undefined;
  throw new Error('An error was thrown after its test had ended.');
}

/** If results were not reported before the next file ends the process, the failure would be attributed to this file. */
async function untilReported() {
  await setImmediate();
  await new Promise((done) => process.stdout.write('', done));
}
