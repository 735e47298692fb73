import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources.ts';
import type { SourceOfKind } from '#contract/data-sources/kinds.ts';
import type { Action } from '#shared/permissions.ts';

/** Everything on the pages that differs between kinds of data sources: `kind.tsx` of each folder exports one as `sourceKind`. */
export interface SourceKind {
  readonly label: string;
  /** What it is, where people choose a kind. */
  readonly description: string;
  readonly icon: Icon;
  /** The permission to create, change, test and delete one. */
  readonly manage: Action;
  /** Whether it has tables that people upload. */
  readonly hasUploads: boolean;
  readonly createLabel: string;
  /** What takes the place of an empty list of tables. */
  readonly noTables: string;
  /** What happens to the data when the source is deleted, as the end of a sentence. */
  readonly deletionNote: string;
  /** Returns where the rows of a source of this kind are, in words. */
  placeOf(source: DataSource): string;
  /** For a kind that is reached by a connection. */
  readonly connection?: ConnectionForm;
}

/** What is typed into the form of a connection; each kind has a type of its own. */
export type Typed = object;

/** How the connection of one kind is entered and shown. Each member is called with sources and values of that kind. */
export interface ConnectionForm {
  /** Returns the values with which the form opens: those of a source, or of a new one. */
  typedFrom(source: DataSource | undefined): Typed;
  /** Returns what is sent. */
  inputOf(typed: Typed): SourceOfKind<'input'>;
  /** The JSON pointers of the fields that the form has. */
  readonly pointers: readonly string[];
  /** The fields. `source` is left out for a new one; `error` is what the server replied to the last attempt. */
  Fields(props: {
    readonly source?: DataSource;
    readonly typed: Typed;
    change(typed: Typed): void;
    readonly error: unknown;
  }): ReactNode;
  /** Shows how a source is reached, and tests it. */
  Card(props: { readonly source: DataSource; readonly reason: string | undefined }): ReactNode;
}
