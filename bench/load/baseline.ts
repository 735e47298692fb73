// The baseline of the server, in a process of its own: what Fastify itself costs. It parses the body of a new
// dashboard, validates it against the same schema with Fastify's own validator (Ajv), and immediately returns a
// constant dashboard of two widgets: no session, no rule, no database, no security header. The goals are ratios
// to this POST. A bare GET, which neither reads nor validates anything, is also measured, for information.
import Fastify from 'fastify';
import { DashboardInput, type Dashboard } from '#contract/dashboards/dashboards.ts';

const dashboard: Dashboard = {
  id: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c01',
  userId: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c02',
  organizationId: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c03',
  name: 'Sales overview',
  description: 'Revenue and orders of the last twelve months',
  widgets: [
    {
      id: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c04',
      reportId: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c11',
      layout: { x: 0, y: 0, w: 6, h: 4 },
      config: { title: 'Revenue by month', chart: 'bar', stacked: true, colors: ['#1971c2', '#2f9e44'] },
    },
    {
      id: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c05',
      reportId: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c12',
      layout: { x: 6, y: 0, w: 6, h: 4 },
      config: { title: 'Open orders', chart: 'number', format: { style: 'decimal', digits: 0 } },
    },
  ],
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};

const baseline = Fastify();
baseline.post('/api/dashboards', { schema: { body: DashboardInput } }, async (_request, reply) => {
  reply.code(201);
  return dashboard;
});
baseline.get('/', async () => dashboard);
process.on('disconnect', () => process.exit());
process.send?.(await baseline.listen({ host: '127.0.0.1', port: 0 }));
