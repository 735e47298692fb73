import {
  headingSizes,
  imageFits,
  imageSourceOf,
  maxLinks,
  type ContentKind,
  type HeadingSize,
  type ImageFit,
} from '#shared/content-widgets/content-widgets.ts';
import { safeHref } from '#shared/links.ts';
import { objectIn } from '#shared/dashboard-filters/definitions.ts';
import { t } from '#shared/language/messages.ts';

type Config = Readonly<Record<string, unknown>>;

export interface LinkValues {
  readonly label: string;
  readonly url: string;
  readonly description: string;
}

/** What is typed in the dialog of a widget without a report. */
export interface ContentValues {
  readonly title: string;
  readonly text: string;
  readonly size: HeadingSize;
  readonly links: readonly LinkValues[];
  /** The ID of an image, or a reference to a value that is one. */
  readonly image: string;
  readonly description: string;
  readonly fit: ImageFit;
  /** Where the image leads to. */
  readonly url: string;
}

export const emptyLink: LinkValues = { label: '', url: '', description: '' };

/** Returns what a config has to edit, also if it isn't valid. */
export function valuesIn(config: Config): ContentValues {
  const links = (Array.isArray(config['links']) ? config['links'] : []).slice(0, maxLinks);
  return {
    title: textIn(config['title']),
    text: textIn(config['text']),
    size: headingSizes.find((each) => each === config['size']) ?? 'large',
    image: textIn(config['image']),
    description: textIn(config['description']),
    fit: imageFits.find((each) => each === config['fit']) ?? 'whole',
    url: textIn(config['url']),
    links:
      links.length === 0
        ? [emptyLink]
        : links.map((link: unknown) => {
            const { label, url, description } = objectIn(link) ?? {};
            return { label: textIn(label), url: textIn(url), description: textIn(description) };
          }),
  };
}

/** Returns the config with what was typed. Members that the dialog doesn't know stay, such as the section of the widget. */
export function configOf(kind: ContentKind, values: ContentValues, before: Config): Config {
  const { title, text, size, links } = values;
  const titled = title.trim() === '' ? {} : { title: title.trim() };
  switch (kind) {
    case 'text':
      return { ...without(before, 'title', 'text'), ...titled, text };
    case 'heading':
      return { ...without(before, 'text', 'size'), text: text.trim(), size };
    case 'image':
      return { ...without(before, ...imageMembers), ...titled, ...imageIn(values) };
    case 'links':
      return {
        ...without(before, 'title', 'links'),
        ...titled,
        links: links.filter((link) => !isEmptyLink(link)).map(toLink),
      };
    case 'divider':
      return before;
  }
}

/** Returns why a content can't be saved yet; undefined if it can. */
export function reasonAgainst(kind: ContentKind, values: ContentValues): string | undefined {
  const { text, links } = values;
  if (kind === 'text' || kind === 'heading') return text.trim() === '' ? t('Enter a text first.') : undefined;
  if (kind === 'image') return reasonAgainstImage(values);
  if (kind !== 'links') return undefined;
  const entered = links.filter((link) => !isEmptyLink(link));
  if (entered.length === 0) return t('Enter a link first.');
  return entered.some(({ url }) => addressFault(url) !== undefined)
    ? t('Correct the addresses first.')
    : undefined;
}

function reasonAgainstImage({ image, description, url }: ContentValues): string | undefined {
  if (imageSourceOf(image) === undefined) return t('Choose an image first.');
  if (url.trim() === '') return undefined;
  if (addressFault(url) !== undefined) return t('Correct the address first.');
  return description.trim() === ''
    ? t('Describe the image first: its description names the link.')
    : undefined;
}

/** Returns what is wrong with the address of a link; undefined if nothing is. */
export const addressFault = (url: string): string | undefined =>
  safeHref(url) === undefined
    ? t('Enter an address that starts with https://, http:// or mailto:, or a path such as /dashboards.')
    : undefined;

export const isEmptyLink = ({ label, url, description }: LinkValues): boolean =>
  [label, url, description].every((each) => each.trim() === '');

const imageMembers = ['title', 'image', 'description', 'fit', 'url'];

const imageIn = ({ image, description, fit, url }: ContentValues): Config => ({
  image: image.trim(),
  ...(description.trim() !== '' && { description: description.trim() }),
  ...(fit !== 'whole' && { fit }),
  ...(url.trim() !== '' && { url: url.trim() }),
});

const toLink = ({ label, url, description }: LinkValues): Config => ({
  ...(label.trim() !== '' && { label: label.trim() }),
  url: url.trim(),
  ...(description.trim() !== '' && { description: description.trim() }),
});

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const without = (config: Config, ...names: readonly string[]): Config =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)));
