import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface ReadPdf {
  /** The text of each page, without spaces: where they are depends on how the texts are laid out. */
  readonly pages: readonly string[];
  /** How many images each page shows. */
  readonly imageCounts: readonly number[];
  readonly title: string;
  /** The names of fonts that are embedded, without the prefix of their subset. */
  readonly embeddedFonts: readonly string[];
  /** The fonts that a reader of the file would need to have. */
  readonly missingFonts: readonly string[];
  /** The addresses of its links, sorted. */
  readonly links: readonly string[];
}

/** Returns what another program reads in a PDF. */
export async function readPdf(file: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  const links: string[] = [];
  const imageCounts: number[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const { fnArray } = await page.getOperatorList();
    imageCounts.push(fnArray.filter((operation) => operation === OPS.paintImageXObject).length);
    // Sound because a link to an address has it as its `url`.
    const annotations = (await page.getAnnotations()) as {
      readonly url?: string;
      readonly unsafeUrl?: string;
    }[];
    links.push(...annotations.flatMap(({ url, unsafeUrl }) => url ?? unsafeUrl ?? []));
    pages.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join('')
        .replaceAll(/\s/g, ''),
    );
  }
  const { info } = await document.getMetadata();
  await task.destroy();
  const text = Buffer.from(file).toString('latin1');
  const fonts = [...text.matchAll(/\/BaseFont\s*\/(?:([A-Z]{6})\+)?([\w-]+)/g)];
  const names = (isSubset: boolean) =>
    [
      ...new Set(
        fonts.filter(([, prefix]) => (prefix !== undefined) === isSubset).map(([, , name = '']) => name),
      ),
    ].toSorted();
  return {
    pages,
    imageCounts,
    // Sound because it is the standard entry of this name.
    title: (info as { readonly Title?: string }).Title ?? '',
    embeddedFonts: names(true),
    missingFonts: names(false),
    links: links.toSorted(),
  };
}
