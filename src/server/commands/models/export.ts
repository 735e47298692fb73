import { exportModels } from '../../models/models.ts';
import { toOssie } from '../../models/ossie/export.ts';
import { printable } from '../../../cli/usage/printable.ts';
import { required } from '../../../cli/usage/usage.ts';
import type { Command } from '../command.ts';
import { standardStream } from '../files.ts';
import { getOrganizationId, organizationOption } from '../organization.ts';
import { getSource, modelsText, writeModelsFile, yamlOf } from './files.ts';

export const modelsExport: Command = {
  name: 'models export',
  summary:
    'Writes the descriptions of the tables of a data source into a YAML file, for version control or another tool.\n' +
    'The text only changes if a description does.',
  arguments: [
    {
      name: 'file',
      placeholder: 'FILE',
      help: 'the file to write; - for standard output (required)',
    },
  ],
  options: [
    organizationOption,
    { name: 'source', placeholder: 'NAME', help: 'the name of the data source', required: true },
    {
      name: 'ossie',
      placeholder: '',
      help: 'writes a semantic model of Apache Ossie, formerly Open Semantic Interchange, and lists what it can’t express',
      required: false,
    },
  ],
  async run({ database }, values) {
    const organizationId = await getOrganizationId(database, required(values, 'organization'));
    const source = await getSource(database, organizationId, required(values, 'source'));
    const models = await exportModels(database, organizationId, source.id);
    const { text, notes } =
      values['ossie'] === undefined
        ? { text: modelsText({ name: source.name, kind: source.kind }, models), notes: [] }
        : ossieText(source.name, models);
    const file = required(values, 'file');
    if (file === standardStream) return { text: text.trimEnd(), data: { text, notes } };
    writeModelsFile(file, text);
    const count = models.length === 1 ? '1 model' : `${models.length} models`;
    return { text: [...notes.map(printable), `${count} written to ${file}`].join('\n'), data: { notes } };
  },
};

function ossieText(name: string, models: Parameters<typeof toOssie>[1]) {
  const { document, notes } = toOssie(name, models);
  return { text: yamlOf(document), notes };
}
