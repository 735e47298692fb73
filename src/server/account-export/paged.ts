import type { Expression, ExpressionBuilder, SqlBool, StringReference } from 'kysely';
import { eachRow } from '../base/paging.ts';
import { keyOfPerson } from '../base/tenant.ts';
import type { Reader } from '../storage/database.ts';
import type { PreparedQuery } from '../storage/prepared-query.ts';

/** Whose rows to read, from which organizations. */
export interface PersonScope {
  readonly userId: string;
  readonly organizationIds: readonly string[];
  /**
   * The organization to whose directory the session belongs; undefined for a session of the whole account. Not a boolean, since a
   * prepared query has one form for undefined and one for everything else.
   */
  readonly limitedTo: string | undefined;
}

export type PageParameters = PersonScope & { readonly after: string; readonly limit: number };
export type PageOfOrganization = PageParameters & { readonly organizationId: string };

/** The rows of its organizations and, for a session of the whole account, those of no organization. */
export const isInScope = <DB, Table extends keyof DB>(
  { eb, or }: ExpressionBuilder<DB, Table>,
  column: StringReference<DB, Table>,
  { organizationIds, limitedTo }: PersonScope,
): Expression<SqlBool> => {
  // Sound because each column with an organization is a text.
  const ofOrganizations = eb(column, 'in', organizationIds as never);
  return limitedTo === undefined ? or([eb(column, 'is', null), ofOrganizations]) : ofOrganizations;
};

export type RowWithKey = { readonly id: string };

/** How many rows are read at once, if they fit into the bytes of a page. */
const pageSize = 200;

export type Read<Row> = (reader: Reader, scope: PersonScope) => AsyncIterable<Row>;
/** Returns a function that yields the rows of a query. */
export const paged =
  <Row extends RowWithKey>(query: PreparedQuery<PageParameters, Row>): Read<Row> =>
  (reader, scope) =>
    eachRow(keyOfPerson(scope.userId), (last) =>
      reader.page(query, { ...scope, after: last?.id ?? '', limit: pageSize }),
    );

/**
 * Like `paged`, one organization after the other: an index has the rows of one in their order. All at once, the database would sort
 * them, with all of their content, for each page.
 */
export const pagedByOrganization = <Row extends RowWithKey>(
  query: PreparedQuery<PageOfOrganization, Row>,
): Read<Row> =>
  async function* (reader, scope) {
    for (const organizationId of scope.organizationIds)
      yield* eachRow(keyOfPerson(scope.userId), (last: Row | undefined) =>
        reader.page(query, { ...scope, organizationId, after: last?.id ?? '', limit: pageSize }),
      );
  };
