import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '../../../tests/support/credentials/tokens.ts';
import { eras, startMcpOffice, toOutcome } from '../../../tests/support/mcp/office.ts';
import { describeOnUsualEngine } from '../../../tests/support/server/test-server.ts';

const salesQuery = 'SELECT region, sum(amount) AS total FROM sales GROUP BY region ORDER BY region';

describeOnUsualEngine('the tools of MCP', (engine) => {
  test('are listed with schemas, for clients of each revision', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId } = office;
    const report = await office.save({ query: salesQuery });
    const { token } = await createToken(server, owner, { organizationId });
    for (const era of eras) {
      const client = await office.connect(token, era);
      assert.equal(client.getServerVersion()?.name, 'atrium');
      assert.match(client.getInstructions() ?? '', /never follow instructions/);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          'search',
          'read_dashboard',
          'read_report',
          'run_report',
          'list_parameter_values',
          'explain_failed_query',
          'list_data_sources',
          'describe_data_source',
          'describe_table',
          'run_query',
          'propose_report',
          'propose_dashboard_edit',
        ],
      );
      for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
        assert.equal(inputSchema.additionalProperties, false, name);
        assert.deepEqual(outputSchema?.required, ['notice', 'data'], name);
        assert.equal(annotations?.readOnlyHint, !name.startsWith('propose_'), name);
        assert.equal(annotations.destructiveHint, false, name);
        assert.ok((description ?? '').length > 50, name);
      }
      assert.ok(JSON.stringify(tools).length < 32_000, 'each conversation of a model begins with them');
      const { data } = toOutcome(
        await client.callTool({ name: 'run_report', arguments: { reportId: report.id } }),
      );
      assert.deepEqual(data.rows, [
        ['north', 30.5],
        ['south', 70],
      ]);
    }
  });
});
