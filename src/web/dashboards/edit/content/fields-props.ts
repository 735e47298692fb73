import type { ReferenceContext } from '#charts/content/reference-values.ts';
import type { ContentValues } from './content-values.ts';

/** What the fields of every kind get. */
export interface FieldsProps {
  readonly values: ContentValues;
  readonly onChange: (values: ContentValues) => void;
  readonly context: ReferenceContext;
}
