import { startWebOffice, type WebOffice } from '../web-office.ts';

/** A text that would run if it were interpreted as markup. */
export const script = '<img src=x onerror=alert(1)>';

export interface ReportOffice extends WebOffice {
  readonly dataSourceId: string;
  /** Creates a report over the sales table with the given content. Returns its id. */
  createReport(content?: Readonly<Record<string, unknown>>): Promise<string>;
}

const sales = `day,region,amount,"${script}"
2026-01-01,north,10,a
2026-01-02,north,20,b
2026-01-01,"${script}",30,c
2026-01-02,south,40,d
`;

/** Starts an office whose organization has a table of sales. */
export async function startReportOffice(owner: Parameters<typeof startWebOffice>[0]): Promise<ReportOffice> {
  const office = await startWebOffice(owner);
  const { server, owner: ada, organizationId } = office;
  const { body: source } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: ada,
    body: { name: 'Shop', kind: 'files' },
  });
  await server.call(`PUT /api/data-sources/${source.id}/tables/sales`, {
    as: ada,
    body: sales,
    headers: { 'content-type': 'text/csv' },
  });
  return {
    ...office,
    dataSourceId: source.id,
    async createReport(content) {
      const { body } = await server.call('POST /api/reports', {
        as: ada,
        body: {
          organizationId,
          dataSourceId: source.id,
          name: `Sales ${script}`,
          query: 'select region, sum(amount) as amount from sales group by 1 order by 1',
          visualization: { kind: 'bar', x: 'region', series: [{ field: 'amount' }] },
          ...content,
        },
      });
      return body.id;
    },
  };
}
