import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import { filesKind } from './files/kind.ts';
import { postgresqlKind } from './postgresql/kind.ts';
import type { SourceKind } from './kind.ts';

export const sourceKinds: Readonly<Record<DataSourceKind, SourceKind>> = {
  files: filesKind,
  postgresql: postgresqlKind,
};
