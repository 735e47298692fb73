import { listOperators, setOperator } from '../organizations/operators.ts';
import { getAccount } from './account.ts';
import { required, type Command } from './command.ts';

const email = { name: 'email', placeholder: 'ADDRESS', help: 'of the account', required: true } as const;

export const operatorGrant: Command = {
  name: 'operator grant',
  summary:
    'Makes an account an operator, who creates organizations, sees the state of the server, and changes its log level.',
  options: [email],
  run: ({ database }, values) => set(database, required(values, 'email'), true),
};

export const operatorWithdraw: Command = {
  name: 'operator withdraw',
  summary: 'Makes an operator of the server one no more.',
  options: [email],
  run: ({ database }, values) => set(database, required(values, 'email'), false),
};

export const operatorList: Command = {
  name: 'operator list',
  summary: 'Lists the operators of the server.',
  options: [],
  async run({ database }) {
    const operators = await listOperators(database);
    return operators.length === 0 ? 'nobody' : operators.map((operator) => operator.email).join('\n');
  },
};

async function set(
  database: Parameters<Command['run']>[0]['database'],
  address: string,
  isOperator: boolean,
): Promise<string> {
  const account = await getAccount(database, address);
  await database.write((transaction) => setOperator(transaction, account.id, isOperator));
  return `${account.email} is ${isOperator ? 'an operator' : 'no operator any more'}`;
}
