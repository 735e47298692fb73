import type { ColumnType } from '../columns.ts';
import type { TypedColumn } from './structure.ts';

/** Types of the data sources whose values are text without a cast. */
const plainText = /^(text|varchar|bpchar|char|name|citext)\b/i;

/** Returns the columns of a table as a structure describes them. */
export const queriedColumns = (
  columns: readonly { readonly name: string; readonly type: ColumnType; readonly sourceType: string }[],
): TypedColumn[] =>
  columns.map(({ name, type, sourceType }) =>
    type === 'text' && !plainText.test(sourceType) ? { name, type, sourceType } : { name, type },
  );
