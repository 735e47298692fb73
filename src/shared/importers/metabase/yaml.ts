import { isScalar, parseDocument, visit, type Document } from 'yaml';
import { t } from '../../language/messages.ts';
import { ImportError } from '../conversion.ts';

/** Returns the value of YAML. Throws `ImportError` if it isn't valid, is nested too deeply, or repeats itself by aliases. */
export function parseYaml(path: string, text: string): unknown {
  try {
    // To look for a key that is there twice, the parser would compare each one with all others, and for each error, it would quote
    // the lines around it.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
    if (document.errors.length === 0 && hasPlainKeys(document)) return document.toJS({ maxAliasCount: 20 });
  } catch {
    // Nested too deeply, or with too many aliases.
  }
  throw new ImportError(t('{file} is not valid YAML.', { file: path }));
}

/** Whether no key is a list or a map: those would be written as text at every level in which they are. */
function hasPlainKeys(document: Document): boolean {
  let isPlain = true;
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key)) return undefined;
      isPlain = false;
      return visit.BREAK;
    },
  });
  return isPlain;
}
