/** The trace that a request belongs to, as its client has sent it (W3C Trace Context, section 3.2). */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The client's span, 16 hexadecimal digits. */
  readonly spanId: string;
  /** 8 bits; the lowest one means that the client records the trace. */
  readonly flags: number;
}

/** Ids that consist of zeros are invalid, and so is the version `ff`. */
const format =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-|$)/;

/**
 * Returns what the header `traceparent` contains, or undefined if it is missing or invalid, in which case it must be
 * ignored. Later versions may add fields at the end. Repeated headers are joined by Node, and so are invalid.
 */
export function readTraceparent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length < 55 || header.length > 512) return undefined;
  const { version, traceId, spanId, flags, more } = format.exec(header)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== '') return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
