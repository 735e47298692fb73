import { t } from '../language/messages.ts';
import { isBuiltIn, objectIn } from '../dashboard-filters/definitions.ts';
import { isImageId } from '../images/image-value.ts';
import { safeHref } from '../links.ts';
import { partsOf, type Reference } from './references.ts';

/** The kinds of widgets that show no report, in the order in which the editor offers them. */
export const contentKinds = ['text', 'heading', 'image', 'links', 'divider'] as const;
export type ContentKind = (typeof contentKinds)[number];

/** Each text is parsed in the browser of every reader. */
export const maxTextLength = 20_000;
export const maxHeadingLength = 300;
export const maxLinks = 50;
export const maxLabelLength = 200;
export const maxDescriptionLength = 500;

export const headingSizes = ['large', 'medium', 'small'] as const;
export type HeadingSize = (typeof headingSizes)[number];

/** Whether all of an image is shown, or it fills its widget and is cut off at two sides. */
export const imageFits = ['whole', 'fill'] as const;
export type ImageFit = (typeof imageFits)[number];

/** An uploaded image, or a value of another widget that is one. */
export type ImageSource = { readonly id: string } | { readonly reference: Reference };

/** A link of a list. `url` is as its author wrote it, and allowed. */
export interface ContentLink {
  readonly label: string;
  readonly url: string;
  readonly description?: string;
}

/** What a widget without a report shows, as its config says. */
export type Content =
  | { readonly kind: 'text'; readonly title?: string; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string; readonly size: HeadingSize }
  | {
      readonly kind: 'image';
      readonly title?: string;
      readonly source: ImageSource;
      /** What is read out instead of it; empty if it only decorates. */
      readonly description: string;
      readonly fit: ImageFit;
      /** The address that it leads to, as its author wrote it, and allowed. */
      readonly url?: string;
    }
  | { readonly kind: 'links'; readonly title?: string; readonly links: readonly ContentLink[] }
  | { readonly kind: 'divider' };

interface StoredWidget {
  readonly reportId: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the reserved report ID of a kind. */
export const contentWidgetId = (kind: ContentKind): string => `builtin:${kind}`;

const kindsById: ReadonlyMap<string, ContentKind> = new Map(
  contentKinds.map((kind) => [contentWidgetId(kind), kind]),
);

/** Returns the kind of a widget without a report; undefined for every other widget. */
export const contentKindOf = ({ reportId }: Pick<StoredWidget, 'reportId'>): ContentKind | undefined =>
  kindsById.get(reportId);

/** Whether people see a widget on a grid: one that shows a report or a content of its own. Others arrange, or define filters. */
export const isOnGrid = ({ reportId }: Pick<StoredWidget, 'reportId'>): boolean =>
  !isBuiltIn(reportId) || kindsById.has(reportId);

/** The size of a new widget of each kind, in columns and rows of the grid. */
export const contentSizes: Readonly<Record<ContentKind, { readonly w: number; readonly h: number }>> = {
  text: { w: 6, h: 4 },
  heading: { w: 12, h: 1 },
  image: { w: 4, h: 4 },
  links: { w: 4, h: 4 },
  divider: { w: 12, h: 1 },
};

/**
 * Returns what a widget shows. A config may have anything: it is undefined if what the kind needs is missing, too long or of
 * another type. Members that aren't needed are left out if they aren't valid, as are links that aren't allowed.
 */
export function contentOf({ reportId, config = {} }: StoredWidget): Content | undefined {
  const kind = contentKindOf({ reportId });
  switch (kind) {
    case 'text': {
      const text = textIn(config['text'], maxTextLength);
      return text === undefined ? undefined : { kind, ...titleIn(config), text };
    }
    case 'heading': {
      const text = textIn(config['text'], maxHeadingLength);
      const size = headingSizes.find((each) => each === config['size']) ?? 'large';
      return text === undefined ? undefined : { kind, text, size };
    }
    case 'image': {
      const source = imageSourceOf(config['image']);
      const fit = imageFits.find((each) => each === config['fit']) ?? 'whole';
      const description = textIn(config['description'], maxDescriptionLength)?.trim() ?? '';
      return source && { kind, ...titleIn(config), source, description, fit, ...urlIn(config) };
    }
    case 'links': {
      const links = linksIn(config['links']);
      return links.length === 0 ? undefined : { kind, ...titleIn(config), links };
    }
    case 'divider':
      return { kind };
    case undefined:
      return undefined;
  }
}

/** The names of the kinds, as people read them. */
export const contentKindNames: Readonly<Record<ContentKind, string>> = {
  text: t('Text'),
  heading: t('Heading'),
  image: t('Image'),
  links: t('Links'),
  divider: t('Divider'),
};

/** Returns the name of a widget without a report, such as “Text “Welcome to our …””; undefined for every other widget. */
export function nameOfContent(widget: StoredWidget): string | undefined {
  const kind = contentKindOf(widget);
  if (kind === undefined) return undefined;
  const excerpt = excerptOf(contentOf(widget));
  return excerpt === '' ? contentKindNames[kind] : `${contentKindNames[kind]} “${excerpt}”`;
}

function excerptOf(content: Content | undefined): string {
  switch (content?.kind) {
    case 'text':
      return shorten(content.title ?? content.text);
    case 'heading':
      return shorten(content.text);
    case 'image':
      return shorten(content.title ?? content.description);
    case 'links':
      return shorten(content.title ?? content.links[0]?.label ?? '');
    case 'divider':
    case undefined:
      return '';
  }
}

const maxExcerptLength = 40;

/** Returns the beginning of the first line with words, without the marks of headings, lists and emphasis. */
function shorten(text: string): string {
  const lines = text.slice(0, 1_000).split('\n');
  const line =
    lines
      .map((each) => each.replaceAll(/[#>*_`~|]/g, ' ').trim())
      .find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const words = line.split(/\s+/).join(' ');
  return words.length <= maxExcerptLength
    ? words
    : `${words
        .slice(0, maxExcerptLength - 1)
        .toWellFormed()
        .trim()}…`;
}

/** Returns a text if it has something to show and isn't too long. */
const textIn = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' && value.length <= maxLength && value.trim() !== '' ? value : undefined;

function titleIn(config: Readonly<Record<string, unknown>>): { readonly title?: string } {
  const title = textIn(config['title'], maxLabelLength)?.trim();
  return title === undefined ? {} : { title };
}

/** Returns the image that a config names: by its ID, or by one reference and nothing else. */
export function imageSourceOf(value: unknown): ImageSource | undefined {
  const text = textIn(value, maxDescriptionLength)?.trim() ?? '';
  if (isImageId(text)) return { id: text };
  const [part, ...others] = partsOf(text);
  return part === undefined || typeof part === 'string' || others.length > 0
    ? undefined
    : { reference: part };
}

function urlIn({ url }: Readonly<Record<string, unknown>>): { readonly url?: string } {
  return typeof url === 'string' && safeHref(url) !== undefined ? { url } : {};
}

const linksIn = (value: unknown): ContentLink[] =>
  (Array.isArray(value) ? value : []).slice(0, maxLinks).flatMap((each: unknown): ContentLink[] => {
    const link = objectIn(each);
    const url = link?.['url'];
    if (typeof url !== 'string' || safeHref(url) === undefined) return [];
    const description = textIn(link?.['description'], maxDescriptionLength);
    const label = textIn(link?.['label'], maxLabelLength)?.trim() ?? url.trim();
    return [{ label, url, ...(description !== undefined && { description }) }];
  });
