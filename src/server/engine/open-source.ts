import type { OpenedSource } from './opened-source.ts';
import type { QueryLimits } from './limits.ts';
import type { SourceDescription } from './source-description.ts';

/** Opens a source by its kind. The engines are loaded only where they are needed: that halves the start of a worker. */
export async function openSource(
  source: SourceDescription,
  directory: string,
  limits: QueryLimits,
): Promise<OpenedSource> {
  switch (source.kind) {
    case 'files': {
      const { openDuckdbSource } = await import('./duckdb/source.ts');
      return openDuckdbSource(source, directory, limits);
    }
    case 'postgresql': {
      const { openPostgresqlSource } = await import('./postgresql/source.ts');
      return openPostgresqlSource(source, limits);
    }
  }
}
