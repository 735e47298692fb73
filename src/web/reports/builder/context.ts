import { createContext, use } from 'react';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { TableModel } from '#shared/models.ts';
import type { StructureFault } from '#shared/query-builder/generate.ts';
import type { QueryStructure, TypedColumn } from '#shared/query-builder/structure.ts';
import type { AvailableColumn } from './available.ts';
import type { BuilderDialect } from './content.ts';
import type { Step } from './up-to.ts';

/** What is edited at the moment: a step without items yet, or one of its items. */
export interface OpenPart {
  readonly step: Step;
  /** Undefined for the field that adds an item. */
  readonly item?: number;
  /** Whether it was just added, and its first field gets the focus. */
  readonly isNew: boolean;
}

/** The query that is being built, for every part of the builder. */
export interface Builder {
  readonly organizationId: string;
  readonly dataSourceId: string;
  readonly dialect: BuilderDialect;
  readonly tables: readonly SourceTable[];
  readonly models: readonly TableModel[];
  readonly structure: QueryStructure;
  /** The columns that filters, groups and measures can use. */
  readonly columns: readonly AvailableColumn[];
  /** The columns of the result, as far as they are known. */
  readonly resultColumns: readonly TypedColumn[];
  readonly faults: readonly StructureFault[];
  /**
   * Sets another query, or what a function returns for the present one. Consecutive changes with the same `group`, such as typing
   * in one field, are one step to undo.
   */
  change(changed: QueryStructure | ((present: QueryStructure) => QueryStructure), group?: string): void;
  readonly open: OpenPart | undefined;
  setOpen(part: OpenPart | undefined): void;
}

export const BuilderContext = createContext<Builder | undefined>(undefined);

/** Returns the query that is being built. */
export function useBuilder(): Builder {
  const builder = use(BuilderContext);
  if (builder === undefined) throw new Error('Only for parts of the query builder.');
  return builder;
}
