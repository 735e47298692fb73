import { isShowable, type ImageHeader, type ImageType } from '../images/image-file.ts';

/** The media types of logos. A GIF could be animated on every page. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const satisfies readonly ImageType[];
export type LogoType = (typeof logoTypes)[number];

/** Every page and every export loads the logo. */
export const maxLogoBytes = 256 * 1024;
const maxLogoSidePixels = 1_024;

/** Whether a picture is small enough to be a logo. */
export const isLogoSize = (header: Pick<ImageHeader, 'width' | 'height'>): boolean =>
  isShowable(header) && Math.max(header.width, header.height) <= maxLogoSidePixels;
