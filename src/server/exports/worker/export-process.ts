import { text } from 'node:stream/consumers';
import { setBranding } from '#shared/branding/branding.ts';
import { setCalendar } from '#shared/region/calendar.ts';
import { setRegion } from '#shared/region/region.ts';
import { TooLarge, tooLargeExitCode } from '../job.ts';
import { readInput } from './input.ts';
import { startLanguage } from './language.ts';

// The process that makes one file: it reads the job and the results from its input, and writes the file to its output.
try {
  const { job, lines, repeated } = readInput(await text(process.stdin));
  setRegion(job.region);
  setCalendar(job, job.exportedAt);
  setBranding(job.branding);
  await startLanguage(job.textLanguage);
  // Not before, since its modules have texts in their constants.
  const { createExport } = await import('../files/create-export.ts');
  const file = await createExport(job, lines, repeated);
  process.stdout.write(file, () => process.exit(0));
} catch (error) {
  if (!(error instanceof TooLarge)) throw error;
  process.stderr.write(error.message, () => process.exit(tooLargeExitCode));
}
