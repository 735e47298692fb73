import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import {
  openObjects,
  type ObjectLimits,
  type ObjectPlace,
  type Objects,
} from '../../../../src/server/data-sources/tables/s3/objects.ts';
import { atEndOf, type Owner } from '../../endings.ts';
import { startFaultProxy, type FaultProxy } from '../../network/fault-proxy.ts';
import { temporaryDirectory } from '../../server/server-process.ts';

const bucket = 'tables';
/** The only credentials that the server knows. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** An S3-compatible server with a bucket, behind a proxy that can fail like a network. */
export interface S3Server {
  /** The address of the proxy. */
  readonly endpoint: string;
  readonly proxy: FaultProxy;
  /** The method, path and query of every request that has arrived. */
  readonly requests: string[];
  place(prefix?: string, endpoint?: string): ObjectPlace;
  /** Returns the objects without the proxy. */
  direct(prefix?: string): Promise<Objects>;
  /** Responds 403 to requests whose method and path match, from now on. */
  forbid(pattern: RegExp): void;
  /** Refuses all connections until `resume` is called. */
  stop(): void;
  resume(): void;
}

/** Deadlines that also a busy machine meets, and parts of the least size that Amazon allows. */
export const testLimits: ObjectLimits = {
  connectMs: 60_000,
  idleMs: 60_000,
  minBytesPerSecond: 1024 ** 2,
  partBytes: 5 * 1024 ** 2,
};

/** Starts a server on a free port of loopback, which ends with `owner`, and sets its credentials in this process. */
export async function startS3Server(owner: Owner): Promise<S3Server> {
  Object.assign(process.env, s3Credentials);
  const requests: string[] = [];
  const directory = temporaryDirectory(owner);
  const options = { directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: bucket }] };
  const s3rver = new S3rver(options);
  await s3rver.configureBuckets();
  const handle = s3rver.callback();
  // The package computes the signature of the bucket's own path, `/tables/`, without the slash at the end.
  const handleBucket = new S3rver({ ...options, allowMismatchedSignatures: true }).callback();
  const answerUploads = createUploadList(directory);
  let forbidden: RegExp | undefined;
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    if (forbidden?.test(line)) return void response.writeHead(403).end();
    if (answerUploads(line, response)) return;
    if (request.url?.startsWith(`/${bucket}/?`) === true) handleBucket(request, response);
    else handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = { host: '127.0.0.1', port };
  const proxy = await startFaultProxy(target);
  atEndOf(owner, async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  const place = (prefix = '', at = endpoint): ObjectPlace => ({ bucket, prefix, endpoint: at });
  return {
    endpoint,
    proxy,
    requests,
    place,
    async direct(prefix) {
      const objects = await openObjects(place(prefix, `http://127.0.0.1:${port}`));
      atEndOf(owner, () => objects.close());
      return objects;
    },
    forbid: (pattern) => {
      forbidden = pattern;
    },
    stop() {
      // Nothing listens on port 1.
      proxy.retarget({ host: '127.0.0.1', port: 1 });
      proxy.cutAll();
    },
    resume: () => proxy.retarget(target),
  };
}

/** Lists and aborts uploads in parts, which the package itself can't. Each has a directory with a file `key`. */
function createUploadList(directory: string): (line: string, response: ServerResponse) => boolean {
  const uploads = join(directory, bucket, '._S3rver_uploads');
  return (line, response) => {
    const [, id] = /^DELETE \S+[?&]uploadId=(\w+)/.exec(line) ?? [];
    if (id !== undefined) {
      // The package may still be writing to it, and removing a part of it itself.
      rmSync(join(uploads, id), { recursive: true, force: true, maxRetries: 5 });
      response.writeHead(204).end();
      return true;
    }
    if (!/^GET \S+[?&]uploads\b/.test(line)) return false;
    const prefix = new URLSearchParams(line.split('?')[1]).get('prefix') ?? '';
    const listed = (existsSync(uploads) ? readdirSync(uploads) : []).map((name) => {
      const file = join(uploads, name, 'key');
      const key = readFileSync(file, 'utf8');
      if (!key.startsWith(prefix)) return '';
      const initiated = statSync(file).mtime.toISOString();
      return `<Upload><Key>${key}</Key><UploadId>${name}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    });
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`);
    return true;
  };
}
