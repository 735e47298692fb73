import type { SourceDescription } from '../source-description.ts';

export interface PostgresqlSource extends SourceDescription {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: 'off' | 'require' | 'verify';
  /** Where `host` leads, checked by the caller: only these are connected to, and the name is not looked up again. */
  readonly addresses: readonly string[];
}
