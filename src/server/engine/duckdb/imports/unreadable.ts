import type { UploadFormat } from '#contract/data-sources/data-sources.ts';
import { duckdbFailure } from '../errors.ts';
import { QueryFailure } from '../../failure.ts';

const formatNames: Readonly<Record<UploadFormat, string>> = {
  csv: 'CSV',
  tsv: 'tab-separated',
  json: 'JSON',
  ndjson: 'newline-delimited JSON',
  parquet: 'Parquet',
};

/** Returns the failure of reading a file in our own words: those of DuckDB are about its own options and paths. */
export function unreadableFile(error: unknown, format: UploadFormat): QueryFailure {
  const failure = duckdbFailure(error, '');
  if (failure.code !== 'sql_error') return failure;
  return new QueryFailure('unreadable_file', messageOf(failure.message, format), { cause: error });
}

function messageOf(message: string, format: UploadFormat): string {
  const name = formatNames[format];
  if (format === 'parquet') return 'The file is not a Parquet file, or it is damaged or incomplete.';
  if (/maximum_object_size/.test(message)) return 'A value of the JSON file is larger than 16 MB.';
  // Such as: Malformed JSON in file "…", at byte 6 in line 2: unexpected end of data.
  if (message.includes('Malformed JSON')) {
    const line = / in line (\d+)/.exec(message)?.[1];
    return line === undefined
      ? `The file is not valid ${name}, or it is incomplete.`
      : `The file is not valid ${name}: line ${line} is malformed.`;
  }
  return `The file cannot be read as a table: it is not valid ${name}, or its records have different forms.`;
}
