import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEndOf, type Owner } from '../endings.ts';

/** A span in the JSON form of OTLP, with its attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface ReceivedExport {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A collector on the loopback address. */
export interface OtlpReceiver {
  readonly url: string;
  readonly exports: ReceivedExport[];
  /** Returns every span so far; only of exports as JSON. */
  spans(): ReceivedSpan[];
  /** Returns the attributes of the resource in the first export. */
  resource(): Readonly<Record<string, unknown>>;
}

/** Starts a collector. One that hangs accepts connections, and never responds. */
export async function startOtlpReceiver(owner: Owner, { hangs = false } = {}): Promise<OtlpReceiver> {
  const exports: ReceivedExport[] = [];
  const server: Server = createServer((request, response) => {
    if (hangs) return;
    void buffer(request).then((body) => {
      exports.push({ path: request.url, headers: request.headers, body });
      response.setHeader('content-type', request.headers['content-type'] ?? '').end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEndOf(owner, () => {
    server.closeAllConnections();
    server.close();
  });
  const parsed = () => exports.map(({ body }) => JSON.parse(body.toString()) as Export);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    spans: () =>
      parsed().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, attributes: toObject(span.attributes) })),
          ),
        ),
      ),
    resource: () => toObject(parsed()[0]?.resourceSpans[0]?.resource.attributes ?? []),
  };
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & { readonly attributes: Attributes })[];
    }[];
  }[];
}

const toObject = (attributes: Attributes): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
