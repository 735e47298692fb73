// The package has no types. These are the parts that are used here.
declare module 'pg-cursor' {
  import type { FieldDef, Submittable } from 'pg';

  interface CursorOptions {
    rowMode?: 'array';
    types?: { getTypeParser: () => (text: string) => unknown };
  }

  export default class Cursor implements Submittable {
    constructor(text: string, values: unknown[], options?: CursorOptions);
    submit: Submittable['submit'];
    read(
      maxRows: number,
      done: (error: Error | undefined, rows: (string | null)[][], result: { fields: FieldDef[] }) => void,
    ): void;
    close(): Promise<void>;
  }
}
