import { importModels } from '../../models/models.ts';
import { printable } from '../../../cli/usage/printable.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { standardStream } from '../files.ts';
import { getOrganizationId, organizationOption } from '../organization.ts';
import { getSource, readModels, readModelsFile } from './files.ts';

export const modelsImport: Command = {
  name: 'models import',
  summary:
    'Replaces the descriptions of tables of a data source by those in a file: all of them, or none.\n' +
    'Tables that the file doesn’t describe do not change. Reads what models export writes, and semantic models of ' +
    'Apache Ossie (Open Semantic Interchange), as YAML or JSON, and lists what it leaves out of them.',
  arguments: [
    { name: 'file', placeholder: 'FILE', help: 'the file to read; - for standard input (required)' },
  ],
  options: [
    organizationOption,
    { name: 'source', placeholder: 'NAME', help: 'the name of the data source', required: true },
    {
      name: 'dry-run',
      placeholder: '',
      help: 'only shows what would change; exits with 3 if something would, and with 0 otherwise',
      required: false,
    },
  ],
  async run({ database, clock, readInput }, values) {
    const organizationId = await getOrganizationId(database, required(values, 'organization'));
    const source = await getSource(database, organizationId, required(values, 'source'));
    const file = required(values, 'file');
    const bytes = file === standardStream ? await readInput() : readModelsFile(file);
    const { models, notes } = readModels(bytes, source.kind);
    const isDryRun = values['dry-run'] !== undefined;
    const input = { dataSourceId: source.id, models, isDryRun };
    const items = await importModels({ database, clock }, input);
    const countOf = (action: string) => items.filter((item) => item.action === action).length;
    const text = [
      ...notes.map(printable),
      ...items.map(({ action, schema, name }) => `${action.padEnd(9)}  ${printable(`${schema}.${name}`)}`),
      `${countOf('create')} created, ${countOf('update')} updated, ${countOf('unchanged')} unchanged`,
      ...(isDryRun ? ['This was a dry run. Nothing was changed.'] : []),
    ].join('\n');
    const wouldChange = isDryRun && items.some(({ action }) => action !== 'unchanged');
    return { text, data: { items, notes, isDryRun }, exitCode: wouldChange ? 3 : 0 };
  },
};
