import { t } from '../../language/messages.ts';
import {
  documentId,
  NotConvertible,
  shorten,
  type ConvertedReport,
  type Notes,
  type SourceChoices,
  type Sources,
} from '../conversion.ts';
import { withNamedColumns } from '../sql/output-columns.ts';
import { fieldsIn, own, textIn, type Fields } from '../values.ts';
import { chartOf } from './charts.ts';
import { sqlOfStage, stagesOf } from './mbql.ts';
import { convertNative, tagsIn } from './native.ts';

export interface Converting {
  readonly notes: Notes;
  readonly sources: Sources;
  readonly choices: SourceChoices;
}

/** A question that became a report, or why it didn't and what its query was. */
export type Question =
  | { readonly report: ConvertedReport }
  | { readonly reason: string; readonly original: string; readonly name: string };

/** Converts a question, which is called a card in files. */
export function convertQuestion(card: Fields, id: string, { notes, sources, choices }: Converting): Question {
  const name = textIn(card, 'name') ?? id;
  const query = fieldsIn(card, 'dataset_query');
  const [stage = {}, ...others] = stagesOf(query);
  const sql = textIn(stage, 'native') ?? textIn(stage, 'query');
  const original = sql ?? JSON.stringify(query, null, 2);
  const database = textIn(query, 'database') ?? textIn(card, 'database_id') ?? 'Metabase';
  const note = (what: string) => notes.add(name, what);
  sources.add(database, '');
  const chosen = choices.get(database);
  if (chosen === undefined)
    return { reason: t('No data source was chosen for “{name}”.', { name: database }), original, name };
  try {
    if (others.length > 0) throw new NotConvertible(t('Its query has several stages.'));
    const converted =
      sql === undefined
        ? { query: sqlOfStage(stage), parameters: [] }
        : convertNative(sql, tagsIn(stage), note);
    const named = withNamedColumns(converted.query, chosen.kind);
    if (named.query.length > 100_000) throw new NotConvertible(t('Its query is too long.'));
    const type = textIn(card, 'type');
    if (type === 'model' || type === 'metric') note(t('It was a {type}, and became a report.', { type }));
    const description = textIn(card, 'description');
    const report: ConvertedReport = {
      format: 'atrium.report/1',
      id: documentId('metabase', 'card', id),
      name: shorten(name, 200),
      ...(description !== undefined && { description: shorten(description, 10_000) }),
      dataSource: chosen,
      query: named.query,
      parameters: converted.parameters,
      visualization: chartOf(card, named.columns, note),
    };
    if (own(card, 'archived') === true) note(t('It was in the trash.'));
    return { report };
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error;
    return { reason: error.message, original, name };
  }
}
