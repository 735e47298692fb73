import { createHash } from 'node:crypto';
import { dashboardFormat, reportFormat } from '#contract/records/documents.ts';
import {
  directoryFormat,
  membersFormat,
  modelsFormat,
  organizationFormat,
  sourceFormat,
  ssoFormat,
  type CodeDocument,
} from './formats.ts';

/** A file with one document. */
export interface CodeFile<Document = CodeDocument> {
  readonly name: string;
  readonly text: string;
  readonly document: Document;
}

/**
 * Returns the files of documents, sorted by their names. A name has only the letters a to z, digits, hyphens and dots, so that it is
 * never a path, and no two names differ only in case.
 */
export function toFiles<Document extends CodeDocument>(documents: readonly Document[]): CodeFile<Document>[] {
  const taken = new Set<string>();
  return documents
    .map((document) => ({ document, key: keyOf(document) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ document, key }) => {
      const [short, long] = namesOf(document, key);
      const name = taken.has(short) ? long : short;
      taken.add(name);
      return { name, text: `${JSON.stringify(document, null, 2)}\n`, document };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns what identifies a document on any server: its ID, or else a name. */
export function keyOf(document: CodeDocument): string {
  switch (document.format) {
    case dashboardFormat:
    case reportFormat:
      return document.id;
    case sourceFormat:
      return sourceKey(document);
    case modelsFormat:
      return `models of ${sourceKey(document.dataSource)}`;
    case directoryFormat:
      return `directory ${document.name}`;
    case membersFormat:
    case ssoFormat:
    case organizationFormat:
      return document.format;
  }
}

/** Returns what identifies a data source on any server. */
export const sourceKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind} ${name}`;

function namesOf(document: CodeDocument, key: string): [short: string, long: string] {
  switch (document.format) {
    case dashboardFormat:
      return namesBy(slugOf(document.name, 'dashboard'), document.id, '.json');
    case reportFormat:
      return namesBy(slugOf(document.name, 'report'), document.id, '.report.json');
    case sourceFormat:
      return namesBy(slugOf(document.name, 'source'), hashOf(key), '.source.json');
    case modelsFormat:
      return namesBy(
        slugOf(document.dataSource.name, 'source'),
        hashOf(sourceKey(document.dataSource)),
        '.models.json',
      );
    case directoryFormat:
      return namesBy(slugOf(document.name, 'directory'), hashOf(key), '.sso.json');
    case membersFormat:
      return ['members.json', 'members.json'];
    case ssoFormat:
      return ['sso.json', 'sso.json'];
    case organizationFormat:
      return ['organization.json', 'organization.json'];
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const namesBy = (slug: string, id: string, ending: string): [string, string] => [
  `${slug}-${id.slice(-12)}${ending}`,
  `${slug}-${id}${ending}`,
];

/** Returns a part of a file name for any name. */
export function slugOf(name: string, otherwise: string): string {
  const slug = name
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? otherwise : slug;
}
