import type { Widget } from '#contract/dashboards/dashboards.ts';
import { imagesIn } from '#shared/content-widgets/images-in.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import { readImage } from '../images/images.ts';
import { findLogoUrl } from '../images/logos/logos.ts';
import type { Reader } from '../storage/database.ts';
import type { ExportJob } from './job.ts';

/** What a worker gets of all images together; further ones are shown as their descriptions. */
const maxImages = 50;
const maxBytes = 24 * 1024 ** 2;

/** Returns the images of an export, which only an organization has, and spreadsheets don't show. They need memory. */
export async function readPictures(
  reader: Reader,
  actor: Actor,
  {
    format,
    organizationId,
    widgets,
  }: Pick<ExportJob, 'format' | 'widgets'> & { readonly organizationId: string | undefined },
): Promise<Pick<ExportJob, 'images' | 'logo'>> {
  if (organizationId === undefined || format === 'xlsx') return { images: {} };
  const images = await readImages(reader, actor, organizationId, widgets);
  const logo = await findLogoUrl(reader, organizationId);
  return { images, ...(logo !== undefined && { logo }) };
}

/** Returns the uploaded images that widgets show, in Base64 by their IDs. One that was deleted is left out. */
async function readImages(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  widgets: readonly Widget[],
): Promise<ExportJob['images']> {
  const ids = new Set(widgets.flatMap(imagesIn).map(({ id }) => id));
  const images: Record<string, string> = {};
  let bytes = 0;
  for (const id of [...ids].slice(0, maxImages)) {
    const file = await findFile(reader, actor, { organizationId, id });
    bytes += file?.length ?? 0;
    if (bytes > maxBytes) break;
    if (file !== undefined) images[id] = file.toString('base64');
  }
  return images;
}

async function findFile(
  reader: Reader,
  actor: Actor,
  image: Parameters<typeof readImage>[2],
): Promise<Buffer | undefined> {
  try {
    return (await readImage(reader, actor, image)).file;
  } catch (error) {
    if (error instanceof AtriumError) return undefined;
    throw error;
  }
}
