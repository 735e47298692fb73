import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleFiles } from '../../src/server/sample/tables.ts';

interface Link {
  readonly title: string;
  readonly path?: string;
}

/** One data set of datapackage.json (https://datapackage.org/standard/data-resource/). */
interface DataSet {
  readonly path: string;
  readonly sources?: readonly Link[];
  readonly licenses?: readonly Link[];
}

/** Returns where the data of the sample is from, and under which terms, as the package vega-datasets states it. */
export function sampleNotice(root: string): string {
  const file = join(root, 'node_modules', 'vega-datasets', 'datapackage.json');
  // Sound because npm installed it.
  const { resources } = JSON.parse(readFileSync(file, 'utf8')) as { readonly resources: readonly DataSet[] };
  const notices = sampleFiles.map(({ name, file: path }) => {
    const { sources = [], licenses = [] } = resources.find((resource) => resource.path === path) ?? {};
    return [
      `${name} (${path})`,
      ...sources.map((source) => `  Source: ${inWords(source)}`),
      ...licenses.map((license) => `  License: ${inWords(license)}`),
    ].join('\n');
  });
  return `The sample data is from vega-datasets, converted to DuckDB. It states no license for a table without one here.\n\n${notices.join('\n')}\n`;
}

const inWords = ({ title, path }: Link): string => (path === undefined ? title : `${title}, ${path}`);
