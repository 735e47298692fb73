// Imports the files of the sample when Atrium is built, so that creating the sample only copies files.
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createQueryEngine } from '../engine/query-engine.ts';
import { createNoSandbox } from '../engine/sandbox/no-sandbox.ts';
import { sampleDescription, sampleDirectory, sampleFiles, samplePath } from './tables.ts';

await rm(sampleDirectory, { recursive: true, force: true });
await mkdir(sampleDirectory, { recursive: true });
// The files come from a package that is part of Atrium.
const engine = createQueryEngine({ sandbox: createNoSandbox('The files are trusted.', '') });
try {
  const tables = [];
  for (const { name, file, format } of sampleFiles) {
    const outputFile = samplePath(name);
    const imported = await engine.importFile({
      organizationId: 'sample',
      inputFile: pathOf(file),
      format,
      outputFile,
      tempDirectory: sampleDirectory,
    });
    tables.push({ name, sizeBytes: (await stat(outputFile)).size, ...imported });
  }
  await writeFile(sampleDescription, JSON.stringify(tables));
} finally {
  await engine.close();
}

/** The package exports only its script; the data is next to it. */
function pathOf(file: string): string {
  return fileURLToPath(new URL(`../data/${file}`, import.meta.resolve('vega-datasets')));
}
