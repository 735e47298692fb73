import type { FastifyReply } from 'fastify';
import * as contract from '#contract/images.ts';
import * as organizationContract from '#contract/organizations/organizations.ts';
import type { Clock } from '../base/clock.ts';
import type { Serve } from '../http/serve.ts';
import type { Database } from '../storage/database.ts';
import { createImage, deleteImage, listImages, readImage } from './images.ts';
import { readLogo, removeLogo, setLogo } from './logos/logos.ts';

/** Dependencies of the operations on images and logos. */
export interface ImageRouteDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export function serveImages(serve: Serve, dependencies: ImageRouteDependencies): void {
  const { database } = dependencies;
  serve(contract.createImage, ({ actor, params, body }) =>
    createImage(dependencies, actor, { organizationId: params.orgId, ...body }),
  );
  serve(contract.listImages, async ({ actor, params }) => ({
    items: await listImages(database, actor, params.orgId),
  }));
  serve(contract.readImage, async ({ actor, params }, reply) => {
    const { type, file } = await readImage(database, actor, {
      organizationId: params.orgId,
      id: params.imageId,
    });
    // Browsers use what they have stored only in the session that read it: not after a sign-out, nor for the next person.
    sendFile(reply, type).header('vary', 'cookie');
    return file;
  });
  serve(contract.deleteImage, async ({ actor, params }) => {
    await deleteImage(dependencies, actor, { organizationId: params.orgId, id: params.imageId });
    return undefined;
  });

  serve(organizationContract.setLogo, ({ actor, params, body }) =>
    setLogo(dependencies, actor, params.orgId, body),
  );
  serve(organizationContract.removeLogo, async ({ actor, params }) => {
    await removeLogo(dependencies, actor, params.orgId);
    return undefined;
  });
  serve(organizationContract.readLogo, async ({ params: { logoId } }, reply) => {
    const { type, file } = await readLogo(database, logoId);
    sendFile(reply, type).header('etag', `"${logoId}"`);
    return file;
  });
}

/** Sets the headers of a file whose address never has another content. */
const sendFile = (reply: FastifyReply, type: string): FastifyReply =>
  reply
    .type(type)
    .header('cache-control', 'private, max-age=31536000, immutable')
    // Whatever else is in the file is not a page, should a browser open it as one.
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
