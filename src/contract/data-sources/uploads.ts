import { Type, type Static } from 'typebox';
import { SourceTable, uploadTypes } from './data-sources.ts';
import { GivenId, maxTypedLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, Timestamp } from '../values.ts';
import { ChosenOptions, ImportPreview } from './imports.ts';

/** A file that was uploaded, and isn't a table yet. */
export const Upload = Type.Object({
  id: Id,
  organizationId: Id,
  format: Type.Enum(Object.values(uploadTypes)),
  sizeBytes: Type.Integer({ description: 'The size of the file' }),
  expiresAt: Timestamp,
});
export type Upload = Static<typeof Upload>;

export const ImportInput = Type.Object({
  dataSourceId: Type.Optional(Type.String({ ...GivenId, description: 'An existing `files` source' })),
  newSourceName: Type.Optional(
    Type.String({
      ...DisplayName,
      description: 'The name of a new `files` source, instead of `dataSourceId`',
    }),
  ),
  table: Type.String({
    maxLength: maxTypedLength,
    description: 'The name of the table to create or replace',
  }),
  options: Type.Optional(ChosenOptions),
  skipsFaults: Type.Optional(
    Type.Boolean({
      description:
        'Whether broken rows are left out, and values that do not fit their column are left empty. Otherwise, they ' +
        'prevent the import',
    }),
  ),
});
export type ImportInput = Static<typeof ImportInput>;

const base = { tag: 'Data sources', access: 'session' } as const;
const UploadParams = Type.Object({ uploadId: Type.String({ description: 'The `id` of the upload' }) });
const maxResponseMs = 15 * 60_000;

export const createUpload = defineRoute({
  ...base,
  id: 'createUpload',
  summary: 'Upload a file, to preview and import it',
  description:
    'Requires the editor role or higher. The body is the file itself, as for `uploadTable`. Only you can use the ' +
    'upload. It is deleted when it is imported, or after a day, and until then counts toward the storage of the organization.',
  method: 'POST',
  path: '/api/organizations/{orgId}/uploads',
  params: Type.Object({ orgId: Type.String() }),
  upload: Object.keys(uploadTypes),
  maxResponseMs,
  status: 201,
  reply: Upload,
  problems: ['forbidden', 'not_found', 'unreadable_file', 'too_many_attempts'],
});

const readingProblems = [
  'forbidden',
  'not_found',
  'unreadable_file',
  'too_many_attempts',
  'query_failed',
  'query_timed_out',
  'query_too_large',
  'queries_busy',
] as const;

export const previewUpload = defineRoute({
  ...base,
  id: 'previewUpload',
  summary: 'Preview the table that an upload would become',
  description:
    'Returns the columns, the first 50 rows, and everything that cannot be imported. Options that are left out are ' +
    'guessed: a column has a type only if all of its values do. A value that does not fit its column is null.',
  method: 'POST',
  path: '/api/uploads/{uploadId}/preview',
  params: UploadParams,
  body: Type.Object({ options: Type.Optional(ChosenOptions) }),
  maxResponseMs,
  status: 200,
  reply: ImportPreview,
  problems: readingProblems,
});

export const importUpload = defineRoute({
  ...base,
  id: 'importUpload',
  summary: 'Import an upload as a table of a new or an existing data source',
  description:
    'Replaces the whole table of this name. If the file has faults, nothing is imported unless `skipsFaults` is set, and ' +
    'the problem lists them.',
  method: 'POST',
  path: '/api/uploads/{uploadId}/import',
  params: UploadParams,
  body: ImportInput,
  maxResponseMs,
  status: 200,
  reply: Type.Object({ dataSourceId: Id, table: SourceTable }),
  problems: ['invalid_parameters', 'too_many_tables', ...readingProblems],
});

export const deleteUpload = defineRoute({
  ...base,
  id: 'deleteUpload',
  summary: 'Delete an upload that you do not want to import',
  description: 'Only the person who uploaded it can do this.',
  method: 'DELETE',
  path: '/api/uploads/{uploadId}',
  params: UploadParams,
  status: 204,
  problems: ['not_found'],
});
