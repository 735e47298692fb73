import { Type } from 'typebox';
import { guardOf } from '#contract/validation/fault-finder.ts';

/** A name that is safe in a path and, in double quotes, in SQL: an operator may verify a backup from anywhere. */
const plainName = '[\\w-][\\w.-]*';
/** Relative, and without dot segments, so that no file is read or written outside of the backup and its target. */
const filePath = `^${plainName}(/${plainName})*$`;
const tableName = '^[^"/\\\\.][^"/\\\\]*$';

const count = Type.Integer({ minimum: 0 });

/** Whether a value has the shape of a manifest, and names no file or table that could lead elsewhere. */
export const isManifest: (value: unknown) => boolean = guardOf(
  Type.Object({
    format: Type.Literal(1),
    atriumVersion: Type.String(),
    schemaVersion: Type.Integer({ minimum: 1 }),
    instanceId: Type.String(),
    engine: Type.Enum(['SQLite', 'PostgreSQL']),
    database: Type.Enum(['sqlite', 'rows', 'dump']),
    createdAt: Type.String(),
    secretKey: Type.Enum(['included', 'left out', 'absent']),
    rowCounts: Type.Object({}, { additionalProperties: count, propertyNames: { pattern: tableName } }),
    files: Type.Array(
      Type.Object({
        path: Type.String({ pattern: filePath }),
        sizeBytes: count,
        sha256: Type.String(),
        table: Type.Optional(
          Type.Object({ name: Type.String(), rowCount: count, columns: Type.Array(Type.Unknown()) }),
        ),
      }),
    ),
    faults: Type.Array(Type.String()),
  }),
);
