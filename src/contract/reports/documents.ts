import { Type, type Static } from 'typebox';
import { dataSourceKinds } from '../data-sources.ts';
import { ReportEdit } from './reports.ts';
import { DisplayName, uuidPattern } from '../values.ts';

/** What a document says it is; a later form of it has a later number. */
export const reportFormat = 'atrium.report/1';

const { name, description, query, parameters, visualization, cacheSeconds } = ReportEdit.properties;

/** All that people edit of a report, and nothing of when and by whom: without an edit the text stays the same. */
export const ReportDocument = Type.Object({
  format: Type.Literal(reportFormat),
  id: Type.String({
    pattern: uuidPattern,
    'x-expected': 'a UUID in lower case',
    description:
      'By which an import knows the report again, and the widgets of documents name it; a UUID in lower case',
  }),
  name,
  description,
  dataSource: Type.Object(
    { name: DisplayName, kind: Type.Enum([...dataSourceKinds]) },
    { description: 'The one of this name and kind in the organization; an import creates none' },
  ),
  query,
  parameters,
  visualization,
  cacheSeconds,
});
export type ReportDocument = Static<typeof ReportDocument>;
