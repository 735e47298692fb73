import { text } from 'node:stream/consumers';
import { createExport } from '../files/create-export.ts';
import { TooLarge, tooLargeExitCode } from '../job.ts';
import { readInput } from './input.ts';

// The process that makes one file: it reads the job and the results from its input, and writes the file to its output.
try {
  const { job, lines } = readInput(await text(process.stdin));
  const file = await createExport(job, lines);
  process.stdout.write(file, () => process.exit(0));
} catch (error) {
  if (!(error instanceof TooLarge)) throw error;
  process.stderr.write(error.message, () => process.exit(tooLargeExitCode));
}
