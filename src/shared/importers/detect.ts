import { objectIn } from '../dashboard-filters/definitions.ts';
import { t } from '../language/messages.ts';
import { readClassic } from './grafana/classic.ts';
import { convertGrafana, isGrafana } from './grafana/convert.ts';
import { readLayouts } from './grafana/layouts.ts';
import { ImportError, maxFileSize, type Conversion, type SourceChoices } from './conversion.ts';
import { fieldsIn, isNestedTooDeeply, own, textIn } from './values.ts';

/** A file of another program that can become documents. */
export interface ForeignFile {
  readonly program: 'grafana' | 'metabase';
  /** Returns its documents, with the data sources that were chosen so far. */
  readonly convert: (choices: SourceChoices) => Conversion;
}

/**
 * Returns what converts the text of a file; undefined if it isn't one of Grafana. Throws `ImportError` if the file is too large or
 * contains only a part of a dashboard.
 */
export function detectForeign(text: string): ForeignFile | undefined {
  if (text.length > maxFileSize) throw new ImportError(t('The file is larger than 4 MiB.'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isNestedTooDeeply(value)) throw new ImportError(t('The file is nested too deeply.'));
  if (!isGrafana(value)) return undefined;
  const whole = objectIn(own(value, 'dashboard')) ?? objectIn(value) ?? {};
  const spec = objectIn(own(whole, 'spec')) ?? whole;
  const uid = textIn(fieldsIn(whole, 'metadata'), 'name');
  const dashboard =
    own(spec, 'elements') === undefined
      ? readClassic(uid === undefined || own(spec, 'uid') !== undefined ? spec : { ...spec, uid })
      : readLayouts(spec, uid ?? textIn(spec, 'uid'));
  return { program: 'grafana', convert: (choices) => convertGrafana(dashboard, choices) };
}
