import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import type { SourceOfKind } from '#contract/data-sources/kinds.ts';
import type { Action } from '#shared/permissions.ts';

/** Everything on the pages that differs between kinds of data sources: `kind.tsx` of each folder exports one as `sourceKind`. */
export interface SourceKind {
  readonly label: string;
  /** Describes the kind, in the list of kinds to choose from. */
  readonly description: string;
  readonly icon: Icon;
  /** The permission to create, change, test and delete a source. */
  readonly manage: Action;
  /** Whether people upload its tables. */
  readonly hasUploads: boolean;
  readonly createLabel: string;
  /** Shown if there are no tables. */
  readonly noTables: string;
  /** What moving the source to the trash means for its data. */
  readonly deletionNote: string;
  /** What is stored for a source, and deleted permanently with it. */
  readonly storedData: string;
  /** Returns a description of where the data of a source is. */
  placeOf(source: DataSource): string;
  /** Only for kinds with a connection. */
  readonly connection?: ConnectionForm;
}

/** The values of the connection form; each kind has its own type. */
export type Typed = object;

/** How the connection of one kind is entered and shown. Each member is called with sources and values of that kind. */
export interface ConnectionForm {
  /** Returns the initial values of the form, for a source or for a new one. */
  typedFrom(source: DataSource | undefined): Typed;
  /** Returns the part of the request body for the values of the form. */
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
  /** Shows the connection of a source, and tests it. */
  Card(props: { readonly source: DataSource; readonly reason: string | undefined }): ReactNode;
}
