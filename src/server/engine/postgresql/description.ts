import type { SourceDescription } from '../source-description.ts';

export interface PostgresqlSource extends SourceDescription {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: 'off' | 'require' | 'verify';
  /** The addresses of `host`, checked by the caller. Only these are connected to; the name is not resolved again. */
  readonly addresses: readonly string[];
  /** The path of the socket that leads to the addresses, for a worker without a network. */
  readonly forwarder?: string;
}
